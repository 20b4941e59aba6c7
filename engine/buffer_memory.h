/* buffer_memory: the kinds of memory that requests can have.
 * A name and nothing else, so that jobs and buffers need not know each other. */
#ifndef ENGINE_BUFFER_MEMORY_H
#define ENGINE_BUFFER_MEMORY_H

enum buffer_memory { /* all of it anonymous mappings, page-aligned */
    BUFFER_PRIVATE,
    BUFFER_SHARED,
    BUFFER_HUGE, /* pages of BUFFER_HUGE_PAGE, from the machine's pool of them (vm.nr_hugepages) */
};

#endif
