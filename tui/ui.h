/* ui: the loop: keys, frames and signals in; screens drawn, orders out. It reads no /proc, touches no device
 * and holds no lock while drawing, so it answers while a device hangs. */
#ifndef TUI_UI_H
#define TUI_UI_H

#include "core/err.h"
#include "core/order.h"
#include "core/sampler.h"
#include "tui/screen.h"
#include "tui/theme.h"

struct ui_opts {
    struct sampler_reader *frames;
    struct screen_env env;
    const struct theme *theme;
    /* Carries an order out. Returns false when the console should leave now. */
    bool (*order)(void *arg, const struct order *o);
    void *arg;
    int wake_fd; /* eventfd of the run, or -1: on wake `wake` is called; false = leave now */
    bool (*wake)(void *arg);
    int signal_fd; /* signalfd with TERM HUP INT TSTP CONT WINCH blocked by the caller; TERM, HUP, INT -> *ret_signal */
};

/* Runs until quit. First frame drawn before the first sample, with "--". 0 or -errno with a sentence;
 * *ret_signal = the signal that ended it, SIGHUP for a lost terminal, 0 for a quit. */
int ui_run(const struct ui_opts *o, int *ret_signal, struct err *err);

#endif
