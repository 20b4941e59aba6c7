/* frame_json: a frame as JSON, with the keys of the documented frame: what `frame` prints, one line of ndjson
 * and what a recording keeps. Reads nothing but the frame. */
#ifndef RESULTS_FRAME_JSON_H
#define RESULTS_FRAME_JSON_H

#include "core/frame.h"
#include "core/json.h"

/* Every key is there in every frame; unknown is null. The caller owns the value. */
struct json *frame_json(const struct frame *f);

/* Parts of it, for documents that carry the same rows. */
struct json *frame_json_host(const struct frame_host *h);
struct json *frame_json_cpu(const struct frame_cpu *c);
struct json *frame_json_dev(const struct frame_dev *d);
struct json *frame_json_load(const struct frame_load *l);
struct json *frame_json_event(const struct frame_event *e);

#endif
