#!/bin/sh
# However the console dies, the shell has its prompt and a usable terminal within a second and nothing is left behind.
set -u
. "$(dirname "$0")/tmux.inc"

# dies SIGNAL PID WHAT CODE
dies() {
    since=$(now_ms)
    kill -s "$1" "$2"
    prompt_within $limit_ms "$since" "$3"
    keys 'echo code=$?' Enter
    wait_for "^code=$4"
    await "$3: no process left" no_process
    await "$3: the screen" at_prompt
    check_settings "$3"
    echo "$3: prompt after $took ms"
}

open_shell 80 24
start && dies TERM "$(keeper_pid)" 'SIGTERM to the keeper' 143
start && dies HUP "$(keeper_pid)" 'SIGHUP to the keeper' 129
start && dies INT "$(keeper_pid)" 'SIGINT to the keeper' 130
start && dies TERM "$(console_pid)" 'SIGTERM to the console' 143
start && dies KILL "$(console_pid)" 'kill -9 of the console' 137
shows 'killed by signal 9' || fail "nobody said what happened"
start && dies SEGV "$(console_pid)" 'a crash of the console' '(139|1)' # 1: the sanitizer's
start && dies KILL "$(keeper_pid)" 'kill -9 of the keeper' 137

start
since=$(now_ms)
keys C-c
prompt_within $limit_ms "$since" '^C'
keys 'echo code=$?' Enter
wait_for '^code=130'

# The terminal goes away: of the console nothing may stay.
start
tmux new-session -d -s other # keeps the server
since=$(now_ms)
tmux kill-session -t pane
await 'closing the terminal: no process left' no_process
took=$(($(now_ms) - since))
[ $took -le $limit_ms ] || { echo "closing the terminal: gone after $took ms only" && exit 1; }
echo "closing the terminal: gone after $took ms"
