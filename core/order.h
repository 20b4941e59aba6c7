/* order: what a screen or a schedule asks for, as a value. cli/ carries it to engine/run.h or
 * monitors/control.h; whoever makes an order does not know who obeys. */
#ifndef CORE_ORDER_H
#define CORE_ORDER_H

#define ORDER_TEXT 256
#define ORDER_ALL_JOBS (-1)

enum order_kind {
    ORDER_NONE,
    ORDER_START,   /* the prepared jobs; again after they ended: a new run of the same jobs */
    ORDER_STOP,
    ORDER_PAUSE,
    ORDER_RESUME,
    ORDER_RETUNE,  /* text: "iodepth=16 bs=4k", fio's words */
    ORDER_INTERVAL,/* text: a time, the sampling interval of the console */
    ORDER_QUIT,    /* stop, then leave; twice = leave a hung device behind */
};

struct order {
    enum order_kind kind;
    int job;               /* index of the job, or ORDER_ALL_JOBS */
    char text[ORDER_TEXT]; /* "" unless the kind says so */
};

#endif
