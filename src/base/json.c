/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define BYTES_MAX  (64u << 20)
#define VALUES_MAX (1u << 20)
#define DEPTH_MAX  32
#define NONE	   UINT32_MAX

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

/* Values are in one array and linked by relative indices, so that it can be reallocated. */
struct json_value {
	enum json_kind kind;
	bool is_true;
	const char *key;     /* in an object */
	const char *string;  /* of strings, and the text of numbers */
	int32_t first, next; /* relative to this value; 0: none */
};

struct json {
	char *text; /* a copy (owned); strings are unescaped in place */
	char *at, *end;
	struct json_value *values;
	size_t count, room;
	unsigned int depth;
};

static size_t parse_value(struct json *json, const char *key);

static void skip_blanks(struct json *json)
{
	while (json->at < json->end &&
	       (*json->at == ' ' || *json->at == '\t' || *json->at == '\n' || *json->at == '\r'))
		json->at++;
}

/* Skip blanks, then consume `c`: false when the next character is another. */
static bool take(struct json *json, char c)
{
	skip_blanks(json);
	if (json->at == json->end || *json->at != c)
		return false;
	json->at++;
	return true;
}

static size_t add_value(struct json *json, enum json_kind kind, const char *key)
{
	if (json->count == VALUES_MAX)
		return NONE;
	if (json->count == json->room) {
		json->room = json->room == 0 ? 256 : json->room * 2;
		json->values = xreallocarray(json->values, json->room, sizeof(*json->values));
	}
	json->values[json->count] = (struct json_value){ .kind = kind, .key = key };
	return json->count++;
}

/* --- strings -------------------------------------------------------------------------------- */

/* Four hexadecimal digits, or -1. */
static int32_t take_hex(struct json *json)
{
	int32_t code = 0;

	for (int i = 0; i < 4; i++, json->at++) {
		char c = json->at < json->end ? *json->at : '\0';
		int digit = c >= '0' && c <= '9' ? c - '0' :
			    c >= 'a' && c <= 'f' ? c - 'a' + 10 :
			    c >= 'A' && c <= 'F' ? c - 'A' + 10 :
						   -1;

		if (digit < 0)
			return -1;
		code = code << 4 | digit;
	}
	return code;
}

/* UTF-8 takes fewer bytes than the escape that it replaces. */
static char *put_utf8(char *out, int32_t code)
{
	if (code < 0x80) {
		*out++ = (char)code;
		return out;
	}
	int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
	static const unsigned char heads[] = { 0, 0xc0, 0xe0, 0xf0 };
	*out++ = (char)(heads[more] | code >> (6 * more));
	while (more-- > 0)
		*out++ = (char)(0x80 | (code >> (6 * more) & 0x3f));
	return out;
}

static char *take_unicode(struct json *json, char *out)
{
	int32_t code = take_hex(json);

	if (code >= 0xd800 && code < 0xdc00 && json->end - json->at > 6 && json->at[0] == '\\' &&
	    json->at[1] == 'u') {
		json->at += 2;
		int32_t low = take_hex(json);

		if (low < 0xdc00 || low > 0xdfff)
			return NULL;
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
	}
	/* Reject NUL, which would end the C string, and unpaired surrogates. */
	if (code <= 0 || (code >= 0xd800 && code < 0xe000))
		return NULL;
	return put_utf8(out, code);
}

static char *take_escape(struct json *json, char *out)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";

	if (json->at == json->end)
		return NULL;
	char c = *json->at++;
	if (c == 'u')
		return take_unicode(json, out);
	const char *found = c != '\0' ? strchr(from, c) : NULL;
	if (found == NULL)
		return NULL;
	*out = to[found - from];
	return out + 1;
}

/* Called after the opening quote: the string, in place and terminated, or NULL. */
static char *take_string(struct json *json)
{
	char *start = json->at, *out = start;

	while (json->at < json->end && *json->at != '"') {
		if ((unsigned char)*json->at < 0x20)
			return NULL;
		if (*json->at != '\\') {
			*out++ = *json->at++;
			continue;
		}
		json->at++;
		out = take_escape(json, out);
		if (out == NULL)
			return NULL;
	}
	if (json->at == json->end)
		return NULL;
	json->at++;
	*out = '\0'; /* at the closing quote at the latest */
	return start;
}

/* --- values --------------------------------------------------------------------------------- */

/* Parse and link members or elements up to the closing bracket. */
static bool parse_list(struct json *json, size_t list, char close)
{
	bool is_object = close == '}';
	size_t last = NONE;

	if (take(json, close))
		return true;
	do {
		const char *key = NULL;

		if (is_object) {
			key = take(json, '"') ? take_string(json) : NULL;
			if (key == NULL || !take(json, ':'))
				return false;
		}
		size_t value = parse_value(json, key);
		if (value == NONE)
			return false;
		if (last == NONE)
			json->values[list].first = (int32_t)(value - list);
		else
			json->values[last].next = (int32_t)(value - last);
		last = value;
	} while (take(json, ','));
	return take(json, close);
}

static size_t parse_nested(struct json *json, enum json_kind kind, const char *key)
{
	size_t list = add_value(json, kind, key);

	if (list == NONE || json->depth == DEPTH_MAX)
		return NONE;
	json->depth++;
	bool is_right = parse_list(json, list, kind == JSON_OBJECT ? '}' : ']');
	json->depth--;
	return is_right ? list : NONE;
}

static size_t parse_word(struct json *json, const char *key)
{
	static const struct {
		const char *word;
		enum json_kind kind;
		bool is_true;
	} words[] = { { "true", JSON_BOOL, true },
		      { "false", JSON_BOOL, false },
		      { "null", JSON_NULL, false } };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t len = strlen(words[i].word);

		if ((size_t)(json->end - json->at) < len ||
		    memcmp(json->at, words[i].word, len) != 0)
			continue;
		json->at += len;
		size_t value = add_value(json, words[i].kind, key);
		if (value != NONE)
			json->values[value].is_true = words[i].is_true;
		return value;
	}
	return NONE;
}

/* A number's text is not copied: it ends at the first byte that cannot be part of a number. */
static size_t parse_number(struct json *json, const char *key)
{
	size_t len = 0, left = (size_t)(json->end - json->at);

	while (len < left && strchr("+-.0123456789eE", json->at[len]) != NULL &&
	       json->at[len] != '\0')
		len++;
	if (len == 0 || len > 40)
		return NONE;
	size_t value = add_value(json, JSON_NUMBER, key);
	if (value != NONE)
		json->values[value].string = json->at;
	json->at += len;
	return value;
}

static size_t parse_value(struct json *json, const char *key)
{
	if (take(json, '{'))
		return parse_nested(json, JSON_OBJECT, key);
	if (take(json, '['))
		return parse_nested(json, JSON_ARRAY, key);
	if (take(json, '"')) {
		const char *string = take_string(json);
		size_t value = string != NULL ? add_value(json, JSON_STRING, key) : NONE;

		if (value != NONE)
			json->values[value].string = string;
		return value;
	}
	if (json->at < json->end && *json->at >= 'a')
		return parse_word(json, key);
	return parse_number(json, key);
}

struct json *json_parse(const char *text, size_t len)
{
	if (len > BYTES_MAX)
		return NULL;

	struct json *json = xcalloc(1, sizeof(*json));
	json->text = xcalloc(len + 1, 1);
	memcpy(json->text, text, len);
	json->at = json->text;
	json->end = json->text + len;
	size_t root = parse_value(json, NULL);
	skip_blanks(json);
	if (root == NONE || json->at != json->end) {
		json_free(json);
		return NULL;
	}
	return json;
}

void json_free(struct json *json)
{
	if (json == NULL)
		return;

	free(json->values);
	free(json->text);
	free(json);
}

/* --- lookups -------------------------------------------------------------------------------- */

const struct json_value *json_root(const struct json *json)
{
	return json->values;
}

const struct json_value *json_first(const struct json_value *list)
{
	return list != NULL && list->first != 0 ? list + list->first : NULL;
}

const struct json_value *json_next(const struct json_value *value)
{
	return value != NULL && value->next != 0 ? value + value->next : NULL;
}

const struct json_value *json_get(const struct json_value *object, const char *key)
{
	if (object == NULL || object->kind != JSON_OBJECT)
		return NULL;
	for (const struct json_value *at = json_first(object); at != NULL; at = json_next(at)) {
		if (strcmp(at->key, key) == 0)
			return at;
	}
	return NULL;
}

size_t json_count(const struct json_value *list)
{
	size_t count = 0;

	for (const struct json_value *at = json_first(list); at != NULL; at = json_next(at))
		count++;
	return count;
}

bool json_is_array(const struct json_value *value)
{
	return value != NULL && value->kind == JSON_ARRAY;
}

bool json_bool(const struct json_value *value, bool otherwise)
{
	return value != NULL && value->kind == JSON_BOOL ? value->is_true : otherwise;
}

double json_number(const struct json_value *value, double otherwise)
{
	return value != NULL && value->kind == JSON_NUMBER ? strtod(value->string, NULL) :
							     otherwise;
}

uint64_t json_u64(const struct json_value *value, uint64_t otherwise)
{
	char *end;

	if (value == NULL || value->kind != JSON_NUMBER || value->string[0] == '-')
		return otherwise;
	errno = 0;
	uint64_t number = strtoull(value->string, &end, 10);
	return errno == 0 && end != value->string ? number : otherwise;
}

const char *json_string(const struct json_value *value, const char *otherwise)
{
	return value != NULL && value->kind == JSON_STRING ? value->string : otherwise;
}
