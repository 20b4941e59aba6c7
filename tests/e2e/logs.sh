#!/bin/sh
# The log files of fio's words: their names, a line an interval and direction, sums that are the result's; what cannot
# be logged is refused, and fio's own reader of histogram logs understands ours.
set -u
command -v jq >/dev/null || { echo "jq is not installed"; exit 77; }
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
bad=0
fail() { echo "$*"; bad=1; }
cd "$dir" || exit 1
"$BENCHTOP" run --name=job --filename="$dir/file" --size=4m --rw=randrw --bs=4k --numjobs=2 --rate_iops=500 --runtime=1 \
    --ramp_time=200ms --time_based --write_bw_log=b --write_iops_log --write_lat_log=l --write_hist_log=h \
    --log_hist_msec=250 --output-format=json --output=out.json 2>err || fail "exit $?: $(cat err)"
grep -q 'averages of 500 ms, not single requests' err || fail "nobody said that averages are logged: $(cat err)"
for f in b_bw.1 b_bw.2 job_iops.1 job_iops.2 l_clat.1 l_clat.2 l_lat.1 l_lat.2 h_clat_hist.1 h_clat_hist.2; do
    [ -s "$f.log" ] || fail "no $f.log"
done
[ "$(ls ./*.log | wc -l)" = 10 ] || fail "other logs: $(ls ./*.log)"
# time, value, direction, no block size, no priority; after the ramp, in order, about the rate
awk -F', ' '$1 < 600 || $1 < last || NF != 5 || $2 < 300 || $2 > 800 || $3 > 1 { exit 1 } { last = $1 } END { if (NR < 4) exit 1 }' \
    job_iops.1.log || fail "job_iops.1.log: $(cat job_iops.1.log)"
awk -F', ' '$2 < 1200 || $2 > 3200 { exit 1 }' b_bw.1.log || fail "b_bw.1.log: $(cat b_bw.1.log)"
for clone in 1 2; do # every request of the measured part is in one histogram
    for d in 0 1; do
        logged=$(awk -F', ' -v d=$d '$2 == d { if (NF != 1859) print "columns"; for (i = 4; i <= NF; i++) n += $i }
            END { printf "%d\n", n }' h_clat_hist.$clone.log)
        want=$(jq --argjson k $((clone - 1)) --arg d "$([ $d = 0 ] && echo read || echo write)" \
            '.jobs[$k][$d].total_ios' out.json)
        [ "$logged" = "$want" ] || fail "h_clat_hist.$clone.log, direction $d: $logged requests, the result has $want"
    done
done
tool=/usr/share/doc/fio/fio-histo-log-pctiles.py.gz
if [ -r $tool ] && command -v python3 >/dev/null; then
    gzip -dc $tool >tool.py
    python3 tool.py h_clat_hist.1.log h_clat_hist.2.log >tool.out 2>&1 && grep -q 'buckets per interval = 1856' tool.out ||
        fail "fio-histo-log-pctiles: $(tail -3 tool.out)"
fi
# One file for all clones, by the clock, of single percentiles of nothing: and no note where the interval was given.
"$BENCHTOP" run --filename="$dir/file" --size=4m --rw=read --numjobs=2 --rate_iops=500 --runtime=500ms --time_based \
    --write_lat_log=m --log_avg_msec=100 --log_unix_epoch=1 --log_max_value=1 --per_job_logs=0 >out 2>err || fail "exit $?"
[ ! -s err ] || fail "said: $(cat err)"
now=$(date +%s)
awk -F', ' -v now="$now" '$1 < (now - 60) * 1000 || $1 > (now + 60) * 1000 || $2 <= 0 { exit 1 } END { exit NR < 8 }' \
    m_clat.log || fail "m_clat.log: $(cat m_clat.log)"
refused() { # options…: exit 2 and nothing made
    "$BENCHTOP" run --filename="$dir/file" --size=4m --rw=read "$@" >out 2>err
    [ $? = 2 ] && [ "$(wc -l <err)" = 1 ] || fail "$*: not refused in one line: $(cat err)"
}
refused --write_bw_log=x --log_avg_msec=0
refused --write_bw_log=/nonexistent/x
refused --log_offset=1
[ ! -e x_bw.1.log ] || fail "a refused run left a log"
exit $bad
