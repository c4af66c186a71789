#!/usr/bin/env bash
# Runs cmake/check_layers.cmake over the fixture modules in src/: `high` obeys its layers, `low` breaks them
# in every way, `roomy` breaks the order of its rooms. Each offence is named with file, include and what is allowed.
set -uo pipefail
cmake=${1:-cmake}
here=$(cd "$(dirname "$0")" && pwd)
check() {  # MODULE ALLOWED [ROOMS]
  "$cmake" "-DSOURCE_DIR=$here/src" "-DMODULE=$1" "-DALLOWED=$2" "-DMODULES=low high roomy" "-DROOMS=${3:-}" \
    -P cmake/check_layers.cmake 2>&1
}
failed=0
fail() { echo "layers: $1" >&2; failed=1; }

output=$(check high low) || fail "module high is fine, but was refused: $output"
if output=$(check low ""); then fail "module low breaks its layers, but passed"; fi
flat=$(tr -s ' \n' ' ' <<<"$output")
for expected in \
  'src/low/bad.cc: "high/top.h" is outside the layers; module low may include only: low' \
  'src/low/bad.cc: "../high/top.h" names no module' \
  'src/low/bad.cc: <low/good.h> is a header of ours' \
  'src/low/bad.cc: <yaml.h> may be included only in: text'; do
  [[ $flat == *"$expected"* ]] || fail "missing in the message: $expected"
done
[[ $flat != *good.cc* ]] || fail "good.cc was blamed"
if output=$(check roomy "" "lower upper"); then fail "module roomy breaks the order of its rooms, but passed"; fi
flat=$(tr -s ' \n' ' ' <<<"$output")
expected='src/roomy/lower/bad.h: "roomy/upper/top.h" is in a room above; the rooms of roomy, lowest first: lower upper'
[[ $flat == *"$expected"* ]] || fail "missing in the message: $expected"
[[ $flat != *fine.h* && $flat != *upper/top.h:* ]] || fail "a header that obeys was blamed"
check roomy "" >/dev/null || fail "module roomy is fine without rooms, but was refused"
[ $failed = 0 ] || echo "$output" >&2
exit $failed
