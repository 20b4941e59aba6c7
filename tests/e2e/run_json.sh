#!/bin/sh
# The result of a short read with each engine is one JSON document in fio's shape: histograms that sum up, no null
# where the value is known, readable by fio's own converter.
set -u
command -v jq >/dev/null || { echo "jq is not installed"; exit 77; }
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
bad=0
check() { # what, jq filter that must be true
    jq -e "$2" "$out" >/dev/null && return
    echo "$engine: $1: not true: $2"
    bad=1
}
csv() { # fio's converter reads it and finds all requests
    command -v fio_jsonplus_clat2csv >/dev/null || return
    fio_jsonplus_clat2csv "$out" "$dir/$engine.csv" >"$dir/log" 2>&1 && [ -s "$dir/${engine}_job0.csv" ] || {
        echo "$engine: fio_jsonplus_clat2csv fails"
        cat "$dir/log"
        bad=1
        return
    }
    fio_jsonplus_clat2csv "$out" "$dir/$engine.csv" --validate | grep -q validated || {
        echo "$engine: fio_jsonplus_clat2csv does not validate"
        bad=1
    }
    # columns: nsec, then count, cumulative, percentile of read slat, clat …
    n=$(awk -F', *' 'NR > 1 && $5 != "" { n += $5 } END { printf "%d\n", n }' "$dir/${engine}_job0.csv")
    [ "$n" = "$(jq '.jobs[0].read.total_ios' "$out")" ] || { echo "$engine: $n requests in the csv"; bad=1; }
}
for engine in libaio io_uring psync null; do
    out=$dir/$engine.json
    "$BENCHTOP" run --filename="$dir/file" --size=32m --rw=randread --bs=4k --iodepth=8 --ioengine=$engine \
        --direct=1 --runtime=1 --time_based --output-format=json --output="$out" 2>"$dir/stderr"
    rc=$?
    if [ $rc != 0 ]; then
        [ $engine = io_uring ] && grep -qi 'io_uring' "$dir/stderr" && continue # not allowed here
        echo "$engine: exit $rc"
        cat "$dir/stderr"
        bad=1
        continue
    fi
    r='.jobs[0].read'
    check "one job without error" '(.jobs | length) == 1 and .jobs[0].error == 0'
    check "who wrote it" '.["benchtop version"] | startswith("benchtop-")'
    check "it did something" "$r.total_ios > 0 and $r.io_bytes == $r.total_ios * 4096"
    check "bins sum to N, N is total_ios" '[.jobs[0] | .read, .write, .trim |
        .total_ios as $n | (.clat_ns, .lat_ns) | .N == $n and ([.bins[]] | add) == $n] | all'
    check "so does the response time" ".jobs[0].benchtop.rlat_ns.read.N == $r.total_ios"
    check "about one second" "$r.runtime >= 950 and $r.runtime < 10000 and (.jobs[0].job_runtime >= $r.runtime)"
    check "rates from the same numbers" "($r.iops * $r.runtime / 1000 / $r.total_ios - 1 | fabs) < 0.01 and
        ($r.bw_bytes / $r.iops / 4096 - 1 | fabs) < 0.001 and $r.bw == ($r.bw_bytes / 1024 | floor)"
    check "percentiles rise" "$r.clat_ns.percentile | [to_entries[] | [(.key | tonumber), .value]] | sort |
        (. == sort_by(.[1])) and length == 17"
    check "percentiles lie in the range" "$r.clat_ns | .min <= .percentile[\"1.000000\"] and
        .percentile[\"99.990000\"] <= .max and .min <= .mean and .mean <= .max and .stddev >= 0"
    check "slat has its keys" "$r.slat_ns | .N == 0 and has(\"min\") and has(\"max\") and has(\"mean\")"
    check "no null in what was measured" "[$r | del(.slat_ns) | .. | select(. == null)] == []"
    check "no null in the CPU numbers" '.jobs[0] | [.usr_cpu, .sys_cpu, .ctx, .benchtop.cpu_ns_per_io[]] |
        all(. != null and . >= 0)'
    check "what nobody knows is null" '.jobs[0].write.clat_ns.mean == null and .benchtop.run_id == null'
    check "the options as given" '.jobs[0]["job options"] | .bs == "4k" and .rw == "randread" and .size == "32m" and
        .runtime == "1s" and (has("thinktime") | not)'
    check "the machine" '.benchtop | (.host.kernel | length) > 0 and (.cpus | length) > 0 and .aborted == false and
        ([.cpus[] | select(.online) | .busy_pct] | all(. != null))'
    check "the keys of ours" '.benchtop | has("layers") and has("foreign") and has("events") and has("devices")'
    [ $engine = null ] || check "the target" ".jobs[0].benchtop.targets | length == 1 and
        .[0].name == \"$dir/file\" and .[0].read.total_ios == $(jq "$r.total_ios" "$out")"
    csv
done
# A link stays a link, and the file it names is made.
ln -s later.json "$dir/link.json"
"$BENCHTOP" run --ioengine=null --size=1m --rw=read --output-format=json --output="$dir/link.json" 2>"$dir/stderr"
[ -h "$dir/link.json" ] && [ -s "$dir/later.json" ] || { echo "--output through a link to nothing"; bad=1; }
# The disk of the file, where the filesystem is on one that counts: direct reads are on it.
out=$dir/libaio.json engine=libaio
if [ $(($(stat -c %d "$dir/file") / 256)) != 0 ]; then
    check "the disk's own count" '.disk_util | length == 1 and .[0].name != null and (.[0].util >= 0)'
    check "nearly all requests are on it" '.disk_util[0].read_ios + .disk_util[0].read_merges >=
        .jobs[0].read.total_ios * 0.95'
fi
exit $bad
