/* SPDX-License-Identifier: MIT */
#include "output/reopen-inside.h"

const char *reopen_text(struct snapshot *snap, const struct json_value *value,
			const char *otherwise)
{
	const char *text = json_string(value, otherwise);

	return text != NULL ? snap_strdup(snap, text) : NULL;
}

double reopen_number(const struct json_value *object, const char *key)
{
	return json_number(json_get(object, key), RATE_UNKNOWN);
}

int32_t reopen_whole(const struct json_value *object, const char *key, int32_t otherwise)
{
	double value = json_number(json_get(object, key), otherwise);

	return value >= INT32_MIN && value <= INT32_MAX ? (int32_t)value : otherwise;
}

uint64_t reopen_count(const struct json_value *object, const char *key)
{
	return json_u64(json_get(object, key), 0);
}

static enum sampling sampling_from(uint64_t value)
{
	return value <= SAMPLING_FREQ ? (enum sampling)value : SAMPLING_NONE;
}

static enum cpu_answer answer_from(uint64_t value)
{
	return value <= CPU_SILENT ? (enum cpu_answer)value : CPU_ANSWERED;
}

void reopen_value(struct reading *reading, const struct figure *figure,
		  const struct json_value *from, void *at)
{
	const struct json_value *value = json_get(from, figure->key);

	switch (figure->type) {
	case FIGURE_TEXT:
		*(const char **)at = reopen_text(reading->snap, value, figure->otherwise_text);
		break;
	case FIGURE_FLAG:
		*(bool *)at = json_bool(value, figure->otherwise != 0);
		break;
	case FIGURE_COUNT:
		*(uint64_t *)at = json_u64(value, (uint64_t)figure->otherwise);
		break;
	case FIGURE_NUMBER:
		*(double *)at = json_number(value, figure->otherwise);
		break;
	case FIGURE_ID:
		*(int32_t *)at = reopen_whole(from, figure->key, (int32_t)figure->otherwise);
		break;
	case FIGURE_STATE:
		*(enum event_state *)at = event_state_named(json_string(value, "on"));
		break;
	case FIGURE_SAMPLING:
		*(enum sampling *)at = sampling_from(json_u64(value, SAMPLING_NONE));
		break;
	case FIGURE_ANSWER:
		*(enum cpu_answer *)at = answer_from(json_u64(value, CPU_ANSWERED));
		break;
	case FIGURE_PART:
		break;
	}
}

void reopen_figures(struct reading *reading, struct figure_list list, const struct json_value *from,
		    void *record)
{
	for (size_t i = 0; i < list.count; i++) {
		if (list.rows[i].type != FIGURE_PART)
			reopen_value(reading, &list.rows[i], from,
				     (char *)record + list.rows[i].at);
	}
}
