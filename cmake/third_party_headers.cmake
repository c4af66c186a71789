# Which modules may include which third-party headers, read by check_layers.cmake. One row per library:
# "regex over the included path|modules". A header that no row names is free (the standard library, POSIX,
# fmt). "test" stands for *_test.cc files of any module.
set(third_party_headers
  "^yaml\\.h$|text"
  "^toml\\+\\+/|text"
  "^simdjson|text"
  "^pcre2|text"
  "^(quickjs|libregexp|assay_regexp|libunicode|cutils|dtoa)\\.h$|text"
  "^unicode/|text"
  "^(zstd|zdict)\\.h$|text"
  "^zlib\\.h$|text io"
  "^md4c|report"
  "^curl/|io"
  "^uv(/|\\.h$)|io"
  "^seccomp\\.h$|io"
  "^(linux|sys)/(seccomp|landlock|prctl|epoll|wait|ptrace|socket|mount)|io"
  "^sqlite3|store corpus"
  "^libpq|store"
  "^jemalloc/|"
  "^gumbo\\.h$|corpus"
  "^httplib\\.h$|view"
  "^CLI/|cli"
  "^spdlog/|run cli"
  "^doctest/|test"
  "^benchmark/|"
  "^nlohmann/|"
)
