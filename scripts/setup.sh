#!/usr/bin/env bash
# Installs the Debian packages that a target needs and that are not there yet.
#
#     scripts/setup.sh build|test|lint|tables…
#
# Quiet and quick when nothing is missing. Needs to be root, or sudo, only when something is.
set -euo pipefail

declare -A packages=(
  [build]="g++ cmake ninja-build libpugixml-dev libcli11-dev libfmt-dev nlohmann-json3-dev libz3-dev libbdd-dev"
  [test]="libgtest-dev libbenchmark-dev clang libclang-rt-dev spin gcc python3 pkg-config dpkg-dev file chromium zsh fish groff-base"
  [lint]="clang-format clang-tidy"
  [tables]="python3"
)

wanted=()
for group in "$@"; do
  if [[ -z ${packages[$group]:-} ]]; then
    echo "setup: unknown group '$group' (build, test, lint, tables)" >&2
    exit 2
  fi
  read -ra names <<<"${packages[$group]}"
  wanted+=("${names[@]}")
done

if ! command -v dpkg-query >/dev/null; then
  echo "setup: not a Debian system; trusting that these or their like are installed: ${wanted[*]}" >&2
  exit 0
fi
missing=()
installed=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null || true)
for package in "${wanted[@]}"; do
  grep -qxF "installed $package" <<<"$installed" || missing+=("$package")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

echo "setup: installing ${missing[*]}" >&2
as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "setup: neither root nor sudo; please install: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install "${missing[@]}")
# A machine with fresh package lists need not fetch them again; a bare one has none.
if ! "${install[@]}" >/dev/null 2>&1; then
  "${as_root[@]}" apt-get -qq update
  "${install[@]}" >/dev/null
fi
