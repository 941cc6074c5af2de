#!/bin/sh
# The main use on a real file: its SHA3-256 from the RTL, then the core measured on an FPGA.
set -eu
cd "$(dirname "$0")/.."

file=${1:-requirements.lock}
design=keccak-iterative

echo "== $file through $design, simulated clock by clock"
ours=$(.venv/bin/hashfabric hash --design "$design" --function sha3-256 "$file")
theirs=$(.venv/bin/python -c '
import hashlib, sys
print(hashlib.file_digest(open(sys.argv[1], "rb"), "sha3_256").hexdigest())' "$file")
echo "RTL      ${ours%% *}"
echo "hashlib  $theirs"
if [ "${ours%% *}" != "$theirs" ]; then
  echo "demo: the digests differ" >&2
  exit 1
fi

echo "== the core on ecp5-85k: synthesis, place and route, one seed"
.venv/bin/hashfabric build "$design" --target ecp5-85k --variant core --seeds 1
echo "== all variants, with as many seeds as the tables: hashfabric build $design --target ecp5-85k"
