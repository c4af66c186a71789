# QuickJS-ng, the JavaScript engine, as the static library `quickjs`. Debian has no package of it; its C
# sources lie in the crate that third_party/quickjs/Cargo.lock pins by version and checksum. `./dev` downloads
# them into .cache/vendor before CMake runs; this file only compiles them, so a build never touches the
# network.
set(quickjs_dir "${PROJECT_SOURCE_DIR}/.cache/vendor/rquickjs-sys/quickjs")
if(NOT EXISTS "${quickjs_dir}/quickjs.c")
  message(FATAL_ERROR
    "The sources of QuickJS-ng are not in ${quickjs_dir}. Run `./dev build` once: it fetches them.")
endif()
add_library(quickjs STATIC
  "${quickjs_dir}/quickjs.c" "${quickjs_dir}/libregexp.c" "${quickjs_dir}/libunicode.c" "${quickjs_dir}/dtoa.c")
target_include_directories(quickjs SYSTEM PUBLIC "${quickjs_dir}")
# Always optimised: it is not our code to debug, and regexes at -O1 would dominate the tests. AddressSanitizer
# stays on where a preset asks for it; UndefinedBehaviorSanitizer would make its one big file take 95 s to
# compile.
target_compile_options(quickjs PRIVATE -w -O2 -fwrapv -fno-sanitize=undefined)
target_compile_definitions(quickjs PRIVATE _GNU_SOURCE)
set_target_properties(quickjs PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)
target_link_libraries(quickjs PUBLIC m Threads::Threads)

# Its regex library once more, with callbacks of ours: see third_party/quickjs/assay_regexp.h.
add_library(quickjs_regexp STATIC "${PROJECT_SOURCE_DIR}/third_party/quickjs/assay_regexp.c")
target_include_directories(quickjs_regexp SYSTEM PUBLIC "${PROJECT_SOURCE_DIR}/third_party/quickjs")
target_compile_options(quickjs_regexp PRIVATE -w -O2 -fwrapv)
target_compile_definitions(quickjs_regexp PRIVATE _GNU_SOURCE)
set_target_properties(quickjs_regexp PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)
target_link_libraries(quickjs_regexp PUBLIC quickjs)
