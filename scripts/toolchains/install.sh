#!/usr/bin/env bash
# install.sh [--with-torch]: provides what lock.txt names. Commands and libraries of Debian through apt, the
# rest into the folder where assay looks first: $ASSAY_TOOLCHAINS, else ~/.local/share/assay/toolchains, and for
# root, whose home the user of programs cannot read, /usr/local/share/assay/toolchains. What is there already is
# left alone; warm starts of compilers (warm/make.sh) are made anew where compilers changed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../apt.sh"
if [ -n "${ASSAY_TOOLCHAINS:-}" ]; then
  folder=$ASSAY_TOOLCHAINS
elif [ "$(id -u)" = 0 ]; then
  folder=/usr/local/share/assay/toolchains
else
  folder=${XDG_DATA_HOME:-$HOME/.local/share}/assay/toolchains
fi
[ "${folder#/}" != "$folder" ] || { echo "install.sh: $folder should be an absolute path" >&2; exit 1; }
umask 022
cd /  # nothing of the current folder is asked for a version
kinds="python"
case ${1:-} in
  '') ;;
  --with-torch) kinds="python on-request" ;;
  *) echo "install.sh: unknown option $1" >&2; exit 1 ;;
esac

die() { echo "install.sh: $*" >&2; exit 1; }

rows() {  # kind... -> its rows without the kind
  local kind
  for kind in "$@"; do sed -nE "s/^$kind //p" "$here/lock.txt"; done
}

install_debian() {
  local name probe packages=()
  while read -r name probe; do command -v "$name" >/dev/null || packages+=("$probe"); done < <(rows command)
  while read -r name probe; do [ -e "$probe" ] || packages+=("$name"); done < <(rows debian)
  [ ${#packages[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null || die "please install these (Debian's names): ${packages[*]}"
  echo "installing ${packages[*]}"
  apt_get "$folder/apt.log" update -qq || true  # the install below tells what matters
  apt_get "$folder/apt.log" install -y -qq --no-install-recommends "${packages[@]}" ||
    die "apt-get could not install ${packages[*]} (see $folder/apt.log)"
}

# Runs a command as a user of nobody else, as programs of tests do where root starts assay. The shell between is
# needed: setpriv itself still has root's rights when it looks for what it starts.
as_programs() {
  if [ "$(id -u)" != 0 ]; then "$@"; return; fi
  setpriv --reuid 1900000001 --regid 1900000001 --clear-groups sh -c '"$@"' sh "$@"
}

# The original's packages have no wheels for later Pythons.
find_python() {
  local name base
  for name in python3.11 python3 python3.10 python3.12 /usr/bin/python3; do
    base=$("$name" -I -c 'import sys, venv, ensurepip
if not (3, 9) <= sys.version_info[:2] <= (3, 12): sys.exit(1)
print(sys._base_executable or sys.executable)' 2>/dev/null) || continue
    as_programs "$base" -I -c pass 2>/dev/null || continue
    echo "$base"
    return
  done
  die "no Python from 3.9 to 3.12 with venv is there that programs may read; pandas 2.1 has no wheels for others"
}

installed_python() {
  [ -x "$folder/python/bin/python3" ] || return 0
  "$folder/python/bin/python3" -m pip freeze --all --disable-pip-version-check | tr 'A-Z' 'a-z'
}

install_python() {
  local wanted python=$folder/python/bin/python3
  # One that stands on an interpreter in root's home is made anew, where it can be made better.
  if [ -x "$python" ] && as_programs test -x "$folder" && ! as_programs "$python" -I -c pass 2>/dev/null; then
    rm -r "$folder/python"
  fi
  wanted=$(rows $kinds | sed 's/ /==/')
  [ -n "$(comm -23 <(sort <<<"$wanted") <(installed_python | sort))" ] || return 0
  echo "installing Python packages into $folder/python"
  [ -x "$folder/python/bin/python3" ] || "$(find_python)" -m venv "$folder/python"
  # shellcheck disable=SC2086 # one word a package
  "$folder/python/bin/python3" -m pip install --quiet --disable-pip-version-check $wanted
}

install_node() {
  local name version wanted=()
  while read -r name version; do
    grep -qs "\"version\": \"$version\"" "$folder/node/node_modules/$name/package.json" || wanted+=("$name@$version")
  done < <(rows node)
  [ ${#wanted[@]} -gt 0 ] || return 0
  echo "installing ${wanted[*]} into $folder/node"
  mkdir -p "$folder/node"
  npm install --prefix "$folder/node" --no-audit --no-fund --no-package-lock --loglevel=error "${wanted[@]}" \
    </dev/null >/dev/null
}

# Not in Debian: a stub with the same contract, assert/ (NAMESPACE, R/assert.R).
install_assert() {
  [ -e "$folder/r/library/assert/DESCRIPTION" ] && return 0
  command -v R >/dev/null || return 0
  echo "installing R's assert into $folder/r/library"
  mkdir -p "$folder/r/library"
  R CMD INSTALL --no-docs --no-test-load --library="$folder/r/library" "$here/assert" >/dev/null 2>&1 ||
    die "R could not install $here/assert"
}

# `go run` compiles the standard library first; a program in a sandbox begins with this cache.
fill_go_cache() {
  [ -d "$folder/go/cache" ] && return 0
  echo "compiling Go's standard library into $folder/go/cache"
  local work
  work=$(mktemp -d)
  printf 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("ready") }\n' >"$work/main.go"
  (cd "$work" && env CGO_ENABLED=0 GOTOOLCHAIN=local GOPROXY=off GOFLAGS=-modcacherw GOCACHE="$folder/go/cache" \
    sh -c 'go build std && go run main.go') >/dev/null || die "go could not compile its own library"
  rm -rf "$work"
}

mkdir -p "$folder"
install_debian
install_python
install_node
install_assert
fill_go_cache
"$here/warm/make.sh" "$folder"
echo "the toolchains of unit tests are ready: $folder"
