# assay_built(MODULE): a source file of the module that knows the commit and the libraries, looked at by each build.
function(assay_built module)
  set(libraries "")
  # Inside the portable program; elsewhere the machine's libcurl brings its own.
  set(inside "")
  if(ASSAY_PORTABLE)
    set(inside "nghttp2=libnghttp2" "OpenSSL=openssl")
  endif()
  foreach(row "fmt=fmt" "ICU=icu-i18n" "jemalloc=jemalloc" "libseccomp=libseccomp" "libuv=libuv" "libyaml=yaml-0.1"
              "md4c=md4c" "PCRE2=libpcre2-8" "SQLite=sqlite3" "zlib=zlib" "Zstandard=libzstd" ${inside})
    string(REGEX MATCH "^(.*)=(.*)$" matched "${row}")
    set(name "${CMAKE_MATCH_1}")
    execute_process(COMMAND "${PKG_CONFIG_EXECUTABLE}" --modversion "${CMAKE_MATCH_2}"
      OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
    list(APPEND libraries "${name} ${version}")
  endforeach()
  # Inside the portable program; elsewhere the machine's own, which is opened at first use.
  if(ASSAY_PORTABLE)
    file(STRINGS "${portable_sources}/crates/curl-sys/curl/include/curl/curlver.h" line
      REGEX "define LIBCURL_VERSION \"")
    string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" version "${line}")
    list(APPEND libraries "libcurl ${version}")
  endif()
  file(STRINGS "${quickjs_dir}/quickjs.h" parts REGEX "define QJS_VERSION_(MAJOR|MINOR|PATCH)")
  string(REGEX MATCHALL "[0-9]+" numbers "${parts}")
  list(JOIN numbers "." version)
  list(APPEND libraries "QuickJS-ng ${version}")
  list(JOIN libraries ", " libraries)
  set(output "${PROJECT_BINARY_DIR}/embedded/built.cc")
  add_custom_target(assay_commit
    COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DOUTPUT=${output}" "-DLIBRARIES=${libraries}"
            -P "${PROJECT_SOURCE_DIR}/cmake/commit.cmake"
    BYPRODUCTS "${output}" COMMENT "commit and libraries" VERBATIM)
  set_source_files_properties("${output}" PROPERTIES GENERATED ON)
  target_sources(assay_${module} PRIVATE "${output}")
  add_dependencies(assay_${module} assay_commit)
endfunction()
