#!/usr/bin/env bash
# Checks random timed models of all profiles, several profiles at a time.
#
#     scripts/random.sh PROGRAM FROM COUNT JOBS [OPTION…]    COUNT models of each, by seeds from FROM on
set -euo pipefail

"$1" --names | xargs -P "$4" -I{} "$1" --profile {} --from "$2" --count "$3" "${@:5}"
