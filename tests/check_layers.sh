#!/bin/sh
# The arrows of docs/architecture.md: which folder may include which, and which library lives in one file.
set -u
cd "$(dirname "$0")/.." || exit 2
bad=0
complain() { echo "$1" && bad=1; }
arrows() { # folder, allowed folders (a regex)
    hits=$(grep -nE '^#include "' "$1"/*.[ch] "$1"/*/*.[ch] 2>/dev/null | grep -vE "#include \"($2)")
    [ -z "$hits" ] || complain "$1/ may include only $2:
$hits"
}
arrows core 'core/'
arrows engine '(core|engine)/'
arrows monitors '(core|monitors)/'
arrows results '(core|results)/|engine/job\.h'
arrows tui '(core|engine|results|tui)/'
arrows cli '(core|engine|monitors|results|tui|cli)/'
only() { # header regex, file
    hits=$(grep -lE "^#include <($1)" core/*.[ch] engine/*.[ch] engine/*/*.[ch] monitors/*.[ch] results/*.[ch] tui/*.[ch] tui/*/*.[ch] cli/*.[ch] 2>/dev/null | grep -v "^$2\$")
    [ -z "$hits" ] || complain "<$1> belongs in $2 alone: $hits"
}
only '(ncurses|curses|term\.h)' tui/term.c
only 'libaio' engine/backends/libaio.c
only 'liburing' engine/backends/io_uring.h
only 'sensors/' monitors/sensors.c
only 'libmount/' core/mounts.c
only 'blkid/' engine/guard.c
only 'jansson' core/json.c
# Only cli/ prints, parses argv or exits.
hits=$(grep -nE '(^|[^a-z_])(printf|puts|exit)\(' core/*.c engine/*.c engine/*/*.c monitors/*.c results/*.c tui/*.c tui/*/*.c 2>/dev/null)
[ -z "$hits" ] || complain "only cli/ prints or exits:
$hits"
# The guard is the only door to a writing descriptor; target.c makes new files and reopens what the guard opened.
hits=$(grep -nE 'O_RDWR|O_WRONLY|O_CREAT|O_TRUNC|[^a-z_]f(re)?open\([^)]*"[wa]|[^a-z_]creat\(' engine/*.c engine/*/*.c | grep -vE '^engine/(guard(_[a-z]+)?|target)\.c:')
[ -z "$hits" ] || complain "only engine/guard*.c and engine/target.c open for writing:
$hits"
# Every file has its line in docs/architecture.md.
for f in core/*.c engine/*.c engine/backends/*.c monitors/*.c results/*.c tui/*.c tui/screens/*.c tui/widgets/*.c cli/*.c; do
    name=$(basename "$f" .c)
    grep -qE "(^|[ /|])$name([ ,.]|$)" docs/architecture.md || complain "docs/architecture.md has no line for $f"
done
exit $bad
