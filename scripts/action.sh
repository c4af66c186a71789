#!/bin/bash
# What action.yml does with assay: runs, exports each run, and tells its exit code as an output; the step itself ends
# well, so that the results are there to be uploaded whatever came of it.
set -eo pipefail
mkdir -p "$RESULTS"
gate=()
if [ -n "$BASE" ]; then
  gate=(--fail-on-regression "$BASE" --delta "${DELTA:-0}" --by-question)
fi
# Quotes hold words together; nothing else of a shell counts.
mapfile -t words < <(printf '%s' "$WORDS" | xargs -r printf '%s\n')
code=0
# shellcheck disable=SC2086 # patterns of files are for the shell
"$ASSAY_PROGRAM" run $FILES "${words[@]}" "${gate[@]}" --json > "$RESULTS/runs.json" 2> "$RESULTS/said.txt" || code=$?
cat "$RESULTS/said.txt" >&2
ids=$(sed -n 's/^    "run": "\([^"]*\)",$/\1/p' "$RESULTS/runs.json")
for id in $ids; do
  "$ASSAY_PROGRAM" export "$id" --to jsonl -o "$RESULTS/$id.cells.jsonl"
  "$ASSAY_PROGRAM" export "$id" --to junit -o "$RESULTS/$id.junit.xml"
  "$ASSAY_PROGRAM" export "$id" --to github-summary >> "$GITHUB_STEP_SUMMARY"
done
if [ "$code" = 1 ]; then
  # Nothing was asked: no run says why.
  {
    echo "**assay asked nothing (exit 1)**"
    echo '```'
    grep -E 'error' "$RESULTS/said.txt" || cat "$RESULTS/said.txt"
    echo '```'
  } >> "$GITHUB_STEP_SUMMARY"
fi
{
  echo "exit-code=$code"
  echo "runs=$(echo $ids)"
} >> "$GITHUB_OUTPUT"
