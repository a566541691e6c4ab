/* SPDX-License-Identifier: MIT */
/*
 * json - parses an untrusted JSON text (a saved snapshot).
 *
 * Not a library, because little is needed: our own schema, numbers as doubles or
 * 64-bit integers, bounded depth and memory.  Looking up a missing member gives
 * NULL, and every function accepts NULL, so callers check only the members that
 * are mandatory.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json; /* a whole text, which owns its values */
struct json_value;

/* Parse `len` bytes: NULL when they are invalid JSON, nested too deeply or too large. */
struct json *json_parse(const char *text, size_t len);
void json_free(struct json *json);

/* The outermost value, valid as long as `json`. */
const struct json_value *json_root(const struct json *json);

/* A member of an object, or NULL. */
const struct json_value *json_get(const struct json_value *object, const char *key);

/* An array's or object's first value, and the one after a value; or NULL. */
const struct json_value *json_first(const struct json_value *list);
const struct json_value *json_next(const struct json_value *value);
size_t json_count(const struct json_value *list);

/* Whether it is an array, also an empty one. */
bool json_is_array(const struct json_value *value);

/* The value, or `otherwise` when it is of another kind or NULL. */
bool json_bool(const struct json_value *value, bool otherwise);
double json_number(const struct json_value *value, double otherwise);
uint64_t json_u64(const struct json_value *value, uint64_t otherwise);
const char *json_string(const struct json_value *value, const char *otherwise);

#endif
