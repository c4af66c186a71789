# QuickJS-ng, the JavaScript engine, as the static library `quickjs`. Debian has no package of it; its C
# sources lie in the crate that third_party/quickjs/Cargo.lock pins by version and checksum. `./dev` downloads
# them into .cache/vendor before CMake runs; this file only compiles them, so a build never touches the
# network.
set(quickjs_dir "${PROJECT_SOURCE_DIR}/.cache/vendor/rquickjs-sys/quickjs")
if(NOT EXISTS "${quickjs_dir}/quickjs.c")
  message(FATAL_ERROR
    "The sources of QuickJS-ng are not in ${quickjs_dir}. Run `./dev build` once: it fetches them.")
endif()
# The engine looks at its interrupt handler between a script's own steps only. The patch makes its built-ins look too,
# so that [].join.call({length: 2 ** 53}) ends with the script's time, and lowers the size of BigInts to 65,536 bits.
set(quickjs_patch "${PROJECT_SOURCE_DIR}/third_party/quickjs/interrupts.patch")
set(quickjs_patched "${PROJECT_BINARY_DIR}/quickjs/quickjs.c")
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/quickjs")
add_custom_command(
  OUTPUT "${quickjs_patched}"
  COMMAND patch --silent --output "${quickjs_patched}" "${quickjs_dir}/quickjs.c" "${quickjs_patch}"
  DEPENDS "${quickjs_dir}/quickjs.c" "${quickjs_patch}"
  COMMENT "patch quickjs.c" VERBATIM)
# ECMAScript reads [\d--^] as \d, "-", "-" and "^" (Annex B); the engine reads \d and the range from "-" to "^".
# The patch makes it read what the standard says.
set(regexp_patch "${PROJECT_SOURCE_DIR}/third_party/quickjs/classes.patch")
set(regexp_patched "${PROJECT_BINARY_DIR}/quickjs/libregexp.c")
add_custom_command(
  OUTPUT "${regexp_patched}"
  COMMAND patch --silent --output "${regexp_patched}" "${quickjs_dir}/libregexp.c" "${regexp_patch}"
  DEPENDS "${quickjs_dir}/libregexp.c" "${regexp_patch}"
  COMMENT "patch libregexp.c" VERBATIM)
add_library(quickjs STATIC
  "${quickjs_patched}" "${regexp_patched}" "${quickjs_dir}/libunicode.c" "${quickjs_dir}/dtoa.c")
target_include_directories(quickjs SYSTEM PUBLIC "${quickjs_dir}")
# AddressSanitizer stays on where a preset asks for it; UndefinedBehaviorSanitizer would triple the time of its one big
# file. That file takes 47 s of CPU at -O2 and 17 s at -O1, sanitized 105 and 36.
target_compile_options(quickjs PRIVATE -w $<IF:$<CONFIG:Debug>,-O1,-O2> -fwrapv -fno-sanitize=undefined
  $<$<BOOL:${ASSAY_PORTABLE}>:-fno-asynchronous-unwind-tables>)  # no exception passes through it
# Scripts see UTC, wherever they run: the engine asks this one function for the machine's zone.
target_compile_definitions(quickjs PRIVATE _GNU_SOURCE localtime_r=gmtime_r)
set_target_properties(quickjs PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)
target_link_libraries(quickjs PUBLIC m Threads::Threads)

# Its regex library once more, with callbacks of ours: see third_party/quickjs/assay_regexp.h.
add_library(quickjs_regexp STATIC "${PROJECT_SOURCE_DIR}/third_party/quickjs/assay_regexp.c")
target_include_directories(quickjs_regexp SYSTEM PUBLIC "${PROJECT_SOURCE_DIR}/third_party/quickjs")
target_include_directories(quickjs_regexp BEFORE PRIVATE "${PROJECT_BINARY_DIR}/quickjs")  # the patched libregexp.c
add_dependencies(quickjs_regexp quickjs)
target_compile_options(quickjs_regexp PRIVATE -w -O2 -fwrapv)
target_compile_definitions(quickjs_regexp PRIVATE _GNU_SOURCE)
set_target_properties(quickjs_regexp PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)
target_link_libraries(quickjs_regexp PUBLIC quickjs)
