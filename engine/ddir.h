/* ddir: the directions of an I/O, in the order of fio's comma lists (bs=4k,8k,1m: read, write, trim).
 * A name and nothing else, so that counters and jobs need not know each other. */
#ifndef ENGINE_DDIR_H
#define ENGINE_DDIR_H

enum ddir { DDIR_READ, DDIR_WRITE, DDIR_TRIM, DDIRS, DDIR_SYNC = DDIRS };

#endif
