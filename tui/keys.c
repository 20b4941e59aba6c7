/* keys: key -> action -> sentence. The one table from which help, footer and man page come.
 * Reads no terminal and carries nothing out. */
#include "tui/keys.h"

/* In the order of the help. The first row of an action is the one a footer shows. */
const struct key_row key_rows[] = {
    {'b', ACT_START, "b", "start", "Start the load; after it ended, the same jobs again.", "load"},
    {'k', ACT_STOP, "k", "stop", "Stop the load and keep its numbers on the screen.", "load"},
    {' ', ACT_PAUSE, "space", "pause", "Pause the load, or go on with it.", "load"},

    {KEY_CODE_LEFT, ACT_KNOB_PREV, "←", "knob", "Choose the knob to the left.", "knobs"},
    {KEY_CODE_RIGHT, ACT_KNOB_NEXT, "→", "knob", "Choose the knob to the right.", "knobs"},
    {'+', ACT_KNOB_UP, "+", "more", "Turn the chosen knob up while the load runs.", "knobs"},
    {'=', ACT_KNOB_UP, "=", "more", "The same, without shift.", "knobs"},
    {'-', ACT_KNOB_DOWN, "-", "less", "Turn the chosen knob down.", "knobs"},
    {'I', ACT_DEPTH_UP, "I", "depth", "Queue depth up (iodepth).", "knobs"},
    {'i', ACT_DEPTH_DOWN, "i", "depth", "Queue depth down.", "knobs"},
    {'Z', ACT_BS_UP, "Z", "size", "Block size up (bs).", "knobs"},
    {'z', ACT_BS_DOWN, "z", "size", "Block size down.", "knobs"},
    {'M', ACT_MIX_UP, "M", "mix", "A larger share of reads (rwmixread).", "knobs"},
    {'m', ACT_MIX_DOWN, "m", "mix", "A smaller share of reads.", "knobs"},
    {'V', ACT_RATE_UP, "V", "rate", "Rate limit up (rate_iops); above the highest step there is no limit.",
     "knobs"},
    {'v', ACT_RATE_DOWN, "v", "rate", "Rate limit down.", "knobs"},
    {'N', ACT_JOBS_UP, "N", "jobs", "One more clone of the job (numjobs).", "knobs"},
    {'n', ACT_JOBS_DOWN, "n", "jobs", "One clone less.", "knobs"},
    {'p', ACT_PATTERN, "p", "pattern", "Sequential or random; never from reading to writing.", "knobs"},

    {KEY_CODE_UP, ACT_DEVICE_UP, "↑", "device", "Select the device above; the graph follows it.", "view"},
    {KEY_CODE_DOWN, ACT_DEVICE_DOWN, "↓", "device", "Select the device below.", "view"},
    {'d', ACT_TREE, "d", "tree", "Devices as a tree, or as a flat list.", "view"},
    {'s', ACT_SORT, "s", "sort", "Sort the devices by the next column.", "view"},
    {'a', ACT_SINCE, "a", "since", "Latency of the last interval, or since the start.", "view"},
    {']', ACT_ZOOM_IN, "]", "zoom in", "A shorter time axis.", "view"},
    {'[', ACT_ZOOM_OUT, "[", "zoom out", "A longer time axis.", "view"},
    {'g', ACT_CHARSET, "g", "glyphs", "Draw with braille, blocks or ASCII.", "view"},

    {'?', ACT_HELP, "?", "help", "This page.", "console"},
    {'h', ACT_HELP, "h", "help", "The same.", "console"},
    {KEY_CODE_F1, ACT_HELP, "F1", "help", "The same.", "console"},
    {'L' - '@', ACT_REDRAW, "^L", "redraw", "Paint the whole screen again.", "console"},
    {'q', ACT_QUIT, "q", "quit", "Stop the load and leave; once more leaves a hung device behind.", "console"},
};
const size_t key_nrows = sizeof key_rows / sizeof *key_rows;

enum action key_action(int key)
{
    for (size_t i = 0; i < key_nrows; i++)
        if (key_rows[i].key == key)
            return key_rows[i].action;
    return ACT_NONE;
}

const struct key_row *key_for(enum action a)
{
    for (size_t i = 0; i < key_nrows; i++)
        if (key_rows[i].action == a)
            return &key_rows[i];
    return NULL;
}
