/* screens: the table of screens. A new one is a file in tui/screens/ and a line here.
 * Draws nothing. */
#include <string.h>

#include "tui/screen.h"

extern const struct screen overview_screen;

const struct screen *const screens[] = {&overview_screen, NULL};

const struct screen *screen_find(const char *name)
{
    for (size_t i = 0; screens[i]; i++)
        if (strcmp(screens[i]->name, name) == 0)
            return screens[i];
    return NULL;
}
