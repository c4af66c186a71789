#!/usr/bin/env bash
# make.sh FOLDER: fills FOLDER/warm/ with what lets compilers of unit tests start warm, one folder a toolchain:
#   bin/      programs with the compilers' own names, which are found before them. They answer as the compilers
#             do, only sooner; for every other use they become the compiler
#   made_of   what all of it was made of: "program NAME PATH", "file BYTES SECONDS PATH". assay uses the folder
#             only while this is true (src/io/launcher/warm_start.h)
# Everything is read-only for programs, and no process of it outlives a test. What is there and true is left
# alone; a compiler that is missing, or of which nothing can be made, starts cold.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$1
export PATH="$folder/python/bin:$folder/node/node_modules/.bin:$folder/bin:$PATH" LC_ALL=C.UTF-8
makers=$(cat "$here"/* | cksum | cut -d' ' -f1)

note_program() { printf 'program %s %s\n' "$1" "$(command -v "$1")"; }
note_files() { xargs -r -d '\n' stat -L -c 'file %s %Y %n' | sort -u; }

is_true() {  # whether what stands in $folder/warm/NAME was made of what is there now, and by these scripts
  local made=$folder/warm/$1/made_of
  [ -e "$made" ] && grep -qx "# by $makers" "$made" &&
    sed -nE 's/^file [0-9]+ [0-9]+ //p' "$made" | note_files 2>/dev/null |
      cmp -s - <(grep '^file ' "$made" | sort -u) &&
    sed -nE 's/^program ([^ ]+) .*/\1/p' "$made" | while read -r name; do note_program "$name"; done |
      cmp -s - <(grep '^program ' "$made")
}

stand_in() {  # name text: a program of this name in the folder that is being made
  printf '#!/bin/sh\n%s\n' "$2" >"bin/$1"
  chmod 755 "bin/$1"
}

# The header that every program begins with, precompiled. What the compiler says of the program's own lines stays
# as it is; of headers, the linker, or names that it would suggest it may speak otherwise, so it is asked again without.
make_cpp() {
  local final=$1 header=header.h program
  program=$(command -v g++)
  sed -n '/kCppHeader =/,/";$/p' "$here/../../../src/checks/languages/cpp.cc" | sed -nE 's/^ *"(.*)";?$/\1/p' |
    tr -d '\n' | sed 's/\\n/\n/g' >$header
  "$program" -x c++-header $header -o $header.gch
  stand_in g++ "if [ \"\$*\" = 'main.cpp -o main' ] && cmp -s -n $(wc -c <$header) main.cpp $final/$header; then
  said=\$($program -include $final/$header main.cpp -o main 2>&1)
  status=\$?
  case \$said in
    '') [ \$status = 0 ] && exit 0 ;;
    */* | *'In file'* | *'did you'* | *suggest* | *'null character'* | *'fatal error'* | *internal*) ;;
    *) printf '%s\n' \"\$said\" >&2; exit \$status ;;
  esac
fi
exec $program \"\$@\""
  note_program g++
  { readlink -f "$program" "$("$program" -print-prog-name=cc1plus)"
    "$program" -M $header | tr -d '\\' | tr ' ' '\n' | grep '^/'; } | note_files
}

# tsc's heap as it is after compiling a few programs, with the libraries parsed and bound (tsc_snapshot.js).
make_typescript() {
  local final=$1 program node tsc
  program=$(command -v tsc) node=$(command -v node)
  tsc=$(dirname "$(readlink -f "$program")")/../lib/tsc.js
  node "$here/tsc_snapshot.js" "$tsc" >entry.js
  node --snapshot-blob tsc.blob --build-snapshot entry.js
  rm entry.js
  stand_in tsc "if [ \"\$*\" = 'test.ts --outfile test.js' ]; then
  exec $node --snapshot-blob $final/tsc.blob \"\$@\"
fi
exec $program \"\$@\""
  note_program tsc
  note_program node
  { readlink -f "$node" "$tsc"; ls "$(dirname "$(readlink -f "$tsc")")"/lib*.d.ts; } | note_files
}

# javac's classes, loaded and verified.
make_java() {
  local final=$1 program javac home
  program=$(command -v javac)
  home=$(dirname "$(dirname "$(readlink -f "$program")")")
  javac=$home/bin/javac
  printf '%s\n' 'import java.util.*;' 'public class Main {' '  record Pair<T>(T left, T right) {}' \
    '  public static void main(String[] words) throws Exception {' \
    '    Map<String, List<Integer>> all = new HashMap<>();' \
    '    for (String word : words) all.computeIfAbsent(word, key -> new ArrayList<>()).add(word.length());' \
    '    System.out.println(all.values().stream().map(List::size).toList() + switch (words.length) {' \
    '      case 0 -> "none"; default -> new Pair<>("a", "b").left(); });' '  }' '}' >Main.java
  "$javac" -J-XX:ArchiveClassesAtExit=javac.jsa -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 Main.java
  rm ./*.java ./*.class
  stand_in javac "exec $javac -J-XX:SharedArchiveFile=$final/javac.jsa -J-Xlog:cds=off -J-Xlog:cds+dynamic=off \"\$@\""
  note_program javac
  readlink -f "$javac" "$home/lib/modules" "$home/lib/server/libjvm.so" "$home/lib/server/classes.jsa" | note_files
}

make_all() {
  local name work
  mkdir -p "$folder/warm"
  for name in cpp:g++ typescript:tsc java:javac; do
    command -v "${name#*:}" >/dev/null || continue
    name=${name%:*}
    is_true "$name" && continue
    echo "making warm starts of $name in $folder/warm/$name"
    work=$(mktemp -d "$folder/warm/new-XXXXXX")
    chmod 755 "$work"
    mkdir "$work/bin"
    if (cd "$work" && { echo "# by $makers"; "make_$name" "$folder/warm/$name"; } >made_of 2>making.log); then
      rm "$work/making.log"
      (cd "$work" && stat -c "file %s %Y $folder/warm/$name/%n" bin/* *.* >>made_of)
      rm -rf "${folder:?}/warm/$name"
      mv "$work" "$folder/warm/$name"
    else
      echo "make.sh: nothing could be made for $name, its programs start cold: $(tail -n 1 "$work/making.log")" >&2
      rm -rf "$work"
    fi
  done
}

make_all
