/* result_json: the result of a run as one JSON document in the shape of fio's json+, with ours under "benchtop".
 * Measures nothing: it writes down what is in the result. */
#ifndef CLI_RESULT_JSON_H
#define CLI_RESULT_JSON_H

#include "cli/result.h"
#include "core/json.h"

/* The same keys whatever ran; unknown is null. The caller owns the value. */
struct json *result_json(const struct result *r);

#endif
