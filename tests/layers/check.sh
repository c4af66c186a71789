#!/usr/bin/env bash
# Runs cmake/check_layers.cmake over the fixture modules in src/: `high` obeys its layers, `low` breaks them
# in every way, and each offence must be named with file, include and what is allowed.
set -uo pipefail
cmake=${1:-cmake}
here=$(cd "$(dirname "$0")" && pwd)
check() {  # MODULE ALLOWED
  "$cmake" "-DSOURCE_DIR=$here/src" "-DMODULE=$1" "-DALLOWED=$2" "-DMODULES=low high" -P cmake/check_layers.cmake 2>&1
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
[ $failed = 0 ] || echo "$output" >&2
exit $failed
