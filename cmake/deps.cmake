# Every third-party library: why it is here and the oldest version known to work. All are Debian 12 packages, except
# QuickJS-ng (cmake/quickjs.cmake) and nunjucks (cmake/nunjucks.cmake). `./dev` installs them: a new row here needs its
# package there, and a decision record. Which module may include a library's headers is fixed in
# cmake/third_party_headers.cmake.
find_package(PkgConfig REQUIRED)

# assay_dependency(TARGET PKG-CONFIG-MODULE MINIMUM): an imported target whose headers count as system
# headers. The portable program has all of them inside.
if(ASSAY_PORTABLE)
  include(portable)
else()
  function(assay_dependency target module minimum)
    pkg_check_modules(${target} REQUIRED IMPORTED_TARGET GLOBAL "${module}>=${minimum}")
  endfunction()
endif()

# libyaml: event parser for YAML with exact marks; our composer builds the tree.
assay_dependency(YAML yaml-0.1 0.2.5)
# PCRE2: Python's regular expressions, once they are translated (docs/decisions/0018).
assay_dependency(PCRE2 libpcre2-8 10.42)
# ICU: the order of texts for people (collation), and Python's letter case; JavaScript's case and white space are
# QuickJS-ng's.
assay_dependency(ICU icu-i18n 72.1)
# md4c: Markdown of descriptions and ideal answers on report pages (docs/decisions/0042).
assay_dependency(MD4C md4c 0.4.8)
# zstd: what the store keeps in one piece, made smaller (docs/decisions/0030).
assay_dependency(ZSTD libzstd 1.5)
# zlib: the files inside ZIP archives, which books in EPUB are (docs/decisions/0041).
assay_dependency(ZLIB zlib 1.2.11)
# toml++: settings and research matrices; header-only, included by one file (docs/decisions/0016).
pkg_check_modules(TOMLPP REQUIRED tomlplusplus>=3.3)
# SQLite: the store, one file per project folder.
assay_dependency(SQLITE sqlite3 3.40)
# libuv: the event loop of the HTTP client.
assay_dependency(UV libuv 1.44)
# libcurl: the HTTP client. Only its headers: the library is opened at first use (src/io/http/curl_api.h), since a
# program linked to it and its thirty dependencies takes twice as long to start.
if(NOT ASSAY_PORTABLE)
  pkg_check_modules(CURL REQUIRED libcurl>=7.88)
  add_library(curl_headers INTERFACE)
  target_include_directories(curl_headers SYSTEM INTERFACE ${CURL_INCLUDE_DIRS})
endif()
# libpq: stores on a PostgreSQL server. Only its headers, as of libcurl (src/store/postgres/client/pg_api.h,
# docs/decisions/0072).
pkg_check_modules(PQ REQUIRED libpq>=13)
add_library(libpq_headers INTERFACE)
target_include_directories(libpq_headers SYSTEM INTERFACE ${PQ_INCLUDE_DIRS})
# libseccomp: filters of system calls for foreign programs.
assay_dependency(SECCOMP libseccomp 2.5.4)
# jemalloc: the program's memory, in place of glibc's malloc (docs/decisions/0065). Its archive, since a shared library
# costs every start; sanitizers bring a malloc of their own.
pkg_check_modules(JEMALLOC REQUIRED jemalloc>=5.3)
find_library(ASSAY_JEMALLOC libjemalloc_pic.a REQUIRED)
mark_as_advanced(ASSAY_JEMALLOC)
add_library(jemalloc INTERFACE)
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  target_link_libraries(jemalloc INTERFACE "${ASSAY_JEMALLOC}")
endif()
# CLI11: the command line.
find_package(CLI11 2.1 REQUIRED)
# fmt: formatting (g++ 12 has no <format>). The shared library, since header-only costs 3.4 s of compile time a file and
# Debian has no static library of it.
if(NOT ASSAY_PORTABLE)
  find_package(fmt 9.1 REQUIRED)
endif()
# Threads: the worker pool and the store thread (found in cmake/toolchain.cmake).

if(ASSAY_TESTS)
  # doctest: unit tests; a trivial test file compiles in 0.1 s.
  find_package(doctest 2.4.9 REQUIRED)
  # google-benchmark: bench/*.cc.
  find_package(benchmark 1.7 REQUIRED)
endif()
