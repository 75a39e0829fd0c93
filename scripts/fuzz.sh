#!/usr/bin/env bash
# Runs every libFuzzer target of a build directory for a number of inputs.
#
#     scripts/fuzz.sh BUILD_DIR RUNS [JOBS]      so many targets at the same time
#
# The seed is fixed, so a run can be repeated. What a target finds lands in BUILD_DIR/fuzz-findings.
set -euo pipefail

build=$1
runs=$2
source_dir=$(cd "$(dirname "$0")/.." && pwd)
findings=$build/fuzz-findings
mkdir -p "$findings"

fuzz() {
  target=$1
  name=$(basename "$target")
  name=${name#fuzz_}
  corpus=$build/fuzz-corpus/$name
  rm -rf "$corpus"
  mkdir -p "$corpus"
  seeds=("$source_dir/tests/fuzz/corpus/$name")
  [[ -d $source_dir/tests/fuzz/regressions/$name ]] && seeds+=("$source_dir/tests/fuzz/regressions/$name")
  [[ $name == model_* ]] && seeds+=("$source_dir/models")
  log=$findings/$name.log
  echo "fuzz: $name, $runs runs"
  if ! "$target" -seed=1 -runs="$runs" -max_len=4096 -timeout=60 -rss_limit_mb=2048 -verbosity=0 -print_final_stats=1 \
    -dict="$source_dir/tests/fuzz/$name.dict" -artifact_prefix="$findings/$name-" \
    "$corpus" "${seeds[@]}" >"$log" 2>&1; then
    tail -n 60 "$log" >&2
    echo "fuzz: $name failed; the input is in $findings" >&2
    exit 1
  fi
}
export -f fuzz
export build runs source_dir findings
printf '%s\0' "$build"/bin/fuzz_* | xargs -0 -P "${3:-1}" -I{} bash -euo pipefail -c 'fuzz "$1"' fuzz {}
