/* SPDX-License-Identifier: MIT */
/*
 * file-row - an event of a file as a row of the model.
 */
#ifndef SOURCE_FILE_ROW_H
#define SOURCE_FILE_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"
#include "perfdata/reader.h"
#include "source/file-events.h"

struct file_row {
	const struct perfdata *data;
	const struct perfdata_event *event;
	const struct file_event *of;
	bool is_off;
	bool lacks_lost;      /* as of struct model_event */
	bool is_symbol_event; /* the one whose symbols are shown */
};

/* Whether its samples say where they were. */
bool file_row_has_code(const struct file_row *row);

/* Set it, or what has changed of it, as the model's event of this number. */
void file_row_tell(struct model *model, uint32_t number, const struct file_row *row);

#endif
