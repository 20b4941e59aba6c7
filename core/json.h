/* json: documents to write and to read, over jansson (the only file that includes it).
 * Numbers are honest: NAN and infinities become null. Keys keep their order; putting a key again replaces it. */
#ifndef CORE_JSON_H
#define CORE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/err.h"

struct json; /* an opaque value; putting or adding one gives it away */

struct json *json_new_object(void);
struct json *json_new_array(void);
/* jansson exports functions of these two names, so ours are called otherwise for the linker. */
#define json_object() json_new_object()
#define json_array() json_new_array()
void json_free(struct json *v);

void json_put(struct json *obj, const char *key, struct json *value); /* value NULL = null */
/* Exact up to 2^63-1 (jansson's integers end there); above, 15 digits of it. */
void json_put_u64(struct json *obj, const char *key, uint64_t v);
void json_put_i64(struct json *obj, const char *key, int64_t v);
void json_put_num(struct json *obj, const char *key, double v); /* 15 digits; NAN -> null */
void json_put_text(struct json *obj, const char *key, const char *s); /* NULL -> null; broken UTF-8 repaired */
void json_put_bool(struct json *obj, const char *key, bool v);
void json_put_tri(struct json *obj, const char *key, int v); /* < 0 null, else bool */
void json_put_null(struct json *obj, const char *key);

void json_add(struct json *arr, struct json *value);
void json_add_u64(struct json *arr, uint64_t v);
void json_add_text(struct json *arr, const char *s);

/* indent 0 = one line. Adds a newline. 0 or -errno when the stream failed. */
int json_write(const struct json *v, FILE *out, int indent);

/* Reading, for tests and imports. */
struct json *json_parse(const char *text, struct err *err);
const struct json *json_get(const struct json *obj, const char *key); /* NULL when absent; borrowed */
const struct json *json_at(const struct json *arr, size_t i);         /* NULL past the end; borrowed */
size_t json_size(const struct json *v);                               /* of an array or object */
double json_num(const struct json *v);       /* NAN unless a number */
const char *json_text(const struct json *v); /* NULL unless a string */
bool json_is_null(const struct json *v);

#endif
