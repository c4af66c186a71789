#!/bin/sh
# Installs assay below PREFIX, without root: `sh install.sh`, `PREFIX=/opt/assay sh install.sh`. It stands beside bin/
# in the unpacked tarball, or beside the tarball itself, whose sum it checks where SHA256SUMS lies there too.
set -eu
PREFIX=${PREFIX:-${HOME:?set PREFIX or HOME}/.local}
here=$(cd "$(dirname "$0")" && pwd)

die() { echo "install.sh: $*" >&2; exit 1; }

# The machine's glibc as "2 31"; nothing where it is not glibc.
glibc() {
  { getconf GNU_LIBC_VERSION 2>/dev/null || ldd --version 2>/dev/null; } |
    sed -nE '1s/^(glibc |ldd \(.*\) )([0-9]+)\.([0-9]+).*/\2 \3/p'
}

set -- $(glibc)
if [ $# -ne 2 ] || [ "$1" -lt 2 ] || { [ "$1" -eq 2 ] && [ "$2" -lt 35 ]; }; then
  found=${1:+glibc $1.$2}
  die "assay needs glibc 2.35 or newer (Debian 12, Ubuntu 22.04, Fedora 36), and this machine has ${found:-none}"
fi

from=$here
scratch=
if [ ! -e "$here/bin/assay" ]; then
  set -- "$here"/assay-*-"$(uname -m)"-linux.tar.gz
  [ $# -eq 1 ] && [ -e "$1" ] || die "neither bin/assay nor one tarball for $(uname -m) lies in $here"
  if [ -e "$here/SHA256SUMS" ]; then
    (cd "$here" && grep -F "  $(basename "$1")" SHA256SUMS | sha256sum --check --status) ||
      die "$1 is not what SHA256SUMS says"
  fi
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  tar -xzf "$1" -C "$scratch"
  from=$scratch/$(basename "$1" .tar.gz)
fi

mkdir -p "$PREFIX/bin" 2>/dev/null && [ -w "$PREFIX/bin" ] || die "$PREFIX cannot be written to: name another PREFIX"
# A program that runs cannot be overwritten, but another can take its name.
cp "$from/bin/assay" "$PREFIX/bin/.assay.new"
mv "$PREFIX/bin/.assay.new" "$PREFIX/bin/assay"
cp -R "$from/share" "$PREFIX/"
echo "$PREFIX/bin/assay: $("$PREFIX/bin/assay" --version)"
case ":$PATH:" in
  *":$PREFIX/bin:"*) ;;
  *) echo "$PREFIX/bin is not in PATH yet: export PATH=\"$PREFIX/bin:\$PATH\"" ;;
esac
