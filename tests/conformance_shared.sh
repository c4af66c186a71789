#!/usr/bin/env bash
# Runs assay_conformance over the golden vectors beside the checkout (../shared/golden, or
# $ASSAY_SHARED/golden); exit 77, "skipped", where they are absent.
shared=${ASSAY_SHARED:-../shared}
if [ ! -d "$shared/golden" ]; then
  echo "skipped: no golden vectors in $shared/golden (set ASSAY_SHARED to the folder that holds golden/)"
  exit 77
fi
exec "$1" "$shared/golden"
