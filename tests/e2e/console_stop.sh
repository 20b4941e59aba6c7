#!/bin/sh
# The console is stopped from outside: the shell has a usable terminal, fg draws again, and whoever is in the
# background draws over nobody.
set -u
. "$(dirname "$0")/tmux.inc"

has_screen() { [ "$(state '#{alternate_on} #{cursor_flag}')" = "1 0" ]; }

open_shell 80 24
start
kill -STOP "$(console_pid)"
await 'the prompt after SIGSTOP of the console' at_prompt
check_settings 'SIGSTOP of the console'
keys 'fg' Enter
await 'the screen after fg' has_screen
wait_for 'devices.*RUN'
keys I
wait_for 'depth .2. '

# The keeper stopped alone cannot put anything back, but once continued in the background nothing may be drawn
# over the shell. The console draws twice a second.
kill -STOP "$(keeper_pid)"
await 'the prompt after SIGSTOP of the keeper' shows 'ready>'
kill -CONT "$(keeper_pid)"
keys "stty $before; printf '\\033[?1049l\\033[?25h'" Enter
await 'the shell has the screen' at_prompt
keys 'clear; sleep 1.5; echo still-$((40 + 2))' Enter
wait_for '^still-42'
shows 'RUN|MB/s' && fail 'the console draws in the background'
keys 'fg' Enter
await 'the screen after fg' has_screen
wait_for 'devices.*RUN'

# Both at once: who is continued first must not take the other's stop for a new one.
running() { ! grep -q '^State:.T' "/proc/$(keeper_pid)/status" "/proc/$(console_pid)/status"; }
ticks() { [ "$(screen | head -n 1)" != "$title" ]; }
for i in 1 2 3 4 5; do
    kill -STOP "$(keeper_pid)" "$(console_pid)"
    await 'the shell has the terminal' eval '[ "$(state "#{pane_current_command}")" = bash ]'
    keys 'fg' Enter
    await 'both run again' running
    wait_for 'devices.*RUN'
    title=$(screen | head -n 1)
    await 'a next frame' ticks
done
keys q
await 'the prompt after q' at_prompt
check_settings q
await 'no process left' no_process
echo "stopped from outside, in the background, and back"
