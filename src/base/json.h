/* SPDX-License-Identifier: MIT */
/*
 * json - reads a JSON text that a stranger may have written (a saved snapshot).
 *
 * Own, because what is needed is small: our own schema, numbers as doubles or
 * whole 64-bit ones, bounded depth and memory.  Looking for what is not there
 * gives NULL, and every question to NULL has an answer, so a reader asks for
 * what it wants and checks only what it cannot do without.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json; /* a whole text; its values live as long */
struct json_value;

/* Parse `len` bytes: NULL when they are no JSON text, too deep or too large. */
struct json *json_parse(const char *text, size_t len);
void json_free(struct json *json);

/* The outermost value, valid as long as `json`. */
const struct json_value *json_root(const struct json *json);

/* A member of an object, or NULL. */
const struct json_value *json_get(const struct json_value *object, const char *key);

/* An array's or object's first value, and the one behind a value; or NULL. */
const struct json_value *json_first(const struct json_value *list);
const struct json_value *json_next(const struct json_value *value);
size_t json_count(const struct json_value *list);

/* What a value is, or `otherwise` when it is of another kind. */
bool json_bool(const struct json_value *value, bool otherwise);
double json_number(const struct json_value *value, double otherwise);
uint64_t json_u64(const struct json_value *value, uint64_t otherwise);
const char *json_string(const struct json_value *value, const char *otherwise);

#endif
