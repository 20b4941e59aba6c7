#!/bin/sh
# The console in tmux: keys turn knobs, pause and help; every size; ^Z and fg; q leaves with 0 and a terminal as it was.
set -u
. "$(dirname "$0")/tmux.inc"

open_shell 80 24
start
shows 'devices' || fail "no devices box"

keys '?'
wait_for 'any key closes'
shows 'Start the load' || fail "the help does not name the keys"
keys x
wait_gone 'any key closes'

wait_for 'depth .1. '
keys I
wait_for 'depth .2. '
keys i
wait_for 'depth .1. '
keys Z
wait_for 'bs .8k. '
keys Space
wait_for 'PAUSE'
keys Space
wait_for 'RUN'

for wh in '40 12' '20 5' '7 2' '1 1' '2 30' '300 2' '120 40' '200 60'; do
    size $wh
    [ "${wh% *}" -lt 20 ] || await "drawing at $wh" shows '[^ ]' # a cell or two may well be blank
    keys '?'
    keys x
done
wait_for 'devices.*RUN'
size 80 24
wait_for 'cpu'
wait_gone 'any key closes'

keys C-z
wait_for 'Stopped'
await 'the prompt after ^Z' at_prompt
check_settings '^Z'
keys 'fg' Enter
wait_for 'devices'
wait_for 'RUN'
keys I
wait_for 'depth .2. '

keys q
await 'the prompt after q' at_prompt
keys 'echo code=$?' Enter
wait_for '^code=0'
check_settings q
await 'no process left' no_process
echo "keys, help, knobs, pause, eight sizes, ^Z, fg and q"
