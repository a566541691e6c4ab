/* SPDX-License-Identifier: MIT */
/*
 * json-write - JSON values as text, with the commas between them.
 *
 * Each value has its key in an object (a constant: it is not escaped), and NULL in an array.  What is
 * opened is closed by the caller, with a bracket.
 */
#ifndef OUTPUT_JSON_WRITE_H
#define OUTPUT_JSON_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

/* The key alone: the value is up to the caller. */
void json_begin(struct strbuf *out, const char *key);

/* Open an object, or an array. */
void json_open_object(struct strbuf *out, const char *key);
void json_open_array(struct strbuf *out, const char *key);

/* Put a value.  Text is raw bytes, or NULL for null; what could harm a terminal is escaped. */
void json_put_null(struct strbuf *out, const char *key);
void json_put_text(struct strbuf *out, const char *key, const char *text);
void json_put_bool(struct strbuf *out, const char *key, bool value);
void json_put_u64(struct strbuf *out, const char *key, uint64_t value);
void json_put_int(struct strbuf *out, const char *key, long long value);

/* The same, or null if it is not known. */
void json_put_u64_if(struct strbuf *out, const char *key, bool is_known, uint64_t value);

/* Negative is unknown, and null: no value here is below zero. */
void json_put_number(struct strbuf *out, const char *key, double value);

#endif
