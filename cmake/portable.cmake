# What deps.cmake takes its libraries from in the preset `portable`: a program that needs glibc and nothing else
# (docs/decisions/0070). Debian's static libraries; md4c and libcurl from the pinned sources that `./dev` downloads;
# fmt from its headers; ICU's data cut to what is read. check_portable.py fails the build of a program that needs more.
set(portable_sources "${PROJECT_SOURCE_DIR}/.cache/portable")
foreach(source crates/curl-sys/curl/CMakeLists.txt md4c/md4c.c)
  if(NOT EXISTS "${portable_sources}/${source}")
    message(FATAL_ERROR "${portable_sources}/${source} is not there. Run `./dev package` once: it fetches it.")
  endif()
endforeach()

# No path of this checkout in the program: two checkouts make the same bytes. The linker is always binutils', which
# leaves out what nobody calls, such as libstdc++'s random_device, which wants glibc 2.36.
add_compile_options("-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")
add_link_options(-static-libstdc++ -static-libgcc -Wl,-O1 -Wl,--gc-sections -Wl,-z,relro -Wl,-z,now)

# Archives of C through which no exception passes: their tables for unwinding, 0.8 MB of the program, are left out.
set(portable_never_unwound crypto ssl nghttp2 sqlite3 z zstd)

# assay_never_unwound(VARIABLE ARCHIVE): a copy of the archive without tables for unwinding, under the same name.
function(assay_never_unwound variable archive)
  get_filename_component(name "${archive}" NAME)
  set(copy "${PROJECT_BINARY_DIR}/never-unwound/${name}")
  if(NOT EXISTS "${copy}" OR "${archive}" IS_NEWER_THAN "${copy}")
    file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/never-unwound")
    execute_process(COMMAND "${CMAKE_OBJCOPY}" -D -R .eh_frame -R .rela.eh_frame "${archive}" "${copy}"
      COMMAND_ERROR_IS_FATAL ANY)
  endif()
  set(${variable} "${copy}" PARENT_SCOPE)
endfunction()

# assay_static(VARIABLE NAME): the archive of a library; the parts of glibc stay as they are.
function(assay_static variable name)
  if(name MATCHES "^(m|dl|rt|pthread)$")
    set(${variable} "${name}" PARENT_SCOPE)
  elseif(name STREQUAL "icudata")
    set(${variable} assay_icudata PARENT_SCOPE)
  else()
    find_library(ASSAY_STATIC_${name} NAMES lib${name}.a lib${name}_a.a REQUIRED)
    mark_as_advanced(ASSAY_STATIC_${name})
    set(archive "${ASSAY_STATIC_${name}}")
    if(name IN_LIST portable_never_unwound)
      assay_never_unwound(archive "${archive}")
    endif()
    set(${variable} "${archive}" PARENT_SCOPE)
  endif()
endfunction()

# The same as in deps.cmake, with archives.
function(assay_dependency target module minimum)
  if(TARGET PkgConfig::${target})
    return()
  endif()
  pkg_check_modules(${target} REQUIRED "${module}>=${minimum}")
  add_library(PkgConfig::${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(PkgConfig::${target} SYSTEM INTERFACE ${${target}_INCLUDE_DIRS})
  foreach(name IN LISTS ${target}_STATIC_LIBRARIES)
    assay_static(library ${name})
    target_link_libraries(PkgConfig::${target} INTERFACE "${library}")
  endforeach()
endfunction()

# ICU's data, 31 MB, of which this program reads the rows of keep.txt: the root's collation, normal forms, names and
# properties of characters, and which letters look alike. Case and categories are code.
assay_static(full_data icui18n)
string(REPLACE "libicui18n.a" "libicudata.a" full_data "${full_data}")
set(icu_folder "${PROJECT_BINARY_DIR}/icu")
set(icu_keep "${PROJECT_SOURCE_DIR}/third_party/icu/keep.txt")
find_program(ASSAY_ICUPKG icupkg REQUIRED)
file(MAKE_DIRECTORY "${icu_folder}/full" "${icu_folder}/rows")
# The name of the file becomes the name by which ICU looks for its rows.
add_custom_command(
  OUTPUT "${icu_folder}/icudt72l.dat"
  COMMAND "${CMAKE_AR}" p "${full_data}" icudt72l_dat.o > full/data.o
  COMMAND "${CMAKE_OBJCOPY}" -O binary -j .rodata full/data.o full/icudt72l.dat
  COMMAND "${ASSAY_ICUPKG}" -x "${icu_keep}" -d rows full/icudt72l.dat
  COMMAND "${ASSAY_ICUPKG}" -a "${icu_keep}" -s rows new icudt72l.dat
  DEPENDS "${icu_keep}" "${full_data}" WORKING_DIRECTORY "${icu_folder}"
  COMMENT "cut the data of ICU" VERBATIM)
file(CONFIGURE OUTPUT "${icu_folder}/data.c" @ONLY CONTENT [[/* Generated. Do not edit. */
__asm__(".section .rodata\n.balign 16\n.globl icudt72_dat\n.type icudt72_dat, @object\nicudt72_dat:\n"
        ".incbin \"@icu_folder@/icudt72l.dat\"\n.size icudt72_dat, . - icudt72_dat\n.previous\n");
]])
set_source_files_properties("${icu_folder}/data.c" PROPERTIES OBJECT_DEPENDS "${icu_folder}/icudt72l.dat")
add_library(assay_icudata STATIC "${icu_folder}/data.c")

add_library(md4c STATIC "${portable_sources}/md4c/md4c.c")
target_include_directories(md4c SYSTEM INTERFACE "${portable_sources}/md4c")
target_compile_options(md4c PRIVATE -w)
target_compile_definitions(md4c PRIVATE MD4C_USE_UTF8)
add_library(PkgConfig::MD4C ALIAS md4c)

# FMT_SHARED as Debian's own target has it, so that ccache takes our units from the ordinary release build.
add_library(assay_fmt STATIC "${PROJECT_SOURCE_DIR}/third_party/fmt/fmt.cc")
target_compile_definitions(assay_fmt INTERFACE FMT_SHARED)
add_library(fmt::fmt ALIAS assay_fmt)

# libcurl by its own CMake files: HTTP and HTTPS over OpenSSL and nghttp2, replies packed by zlib or zstd. It reads no
# openssl.cnf, which is written for the OpenSSL of the machine. arc4random is glibc 2.36's.
function(assay_curl)
  set(CMAKE_DISABLE_FIND_PACKAGE_Perl ON)
  set(OPENSSL_USE_STATIC_LIBS ON)
  foreach(name CRYPTO SSL)
    string(TOLOWER ${name} lower)
    assay_static(archive ${lower})
    set(OPENSSL_${name}_LIBRARY "${archive}" CACHE FILEPATH "" FORCE)
  endforeach()
  assay_static(NGHTTP2_LIBRARY nghttp2)
  assay_static(ZSTD_LIBRARY zstd)
  assay_static(ZLIB_LIBRARY z)
  set(HAVE_ARC4RANDOM OFF CACHE INTERNAL "")
  foreach(word BUILD_CURL_EXE BUILD_SHARED_LIBS BUILD_TESTING BUILD_EXAMPLES BUILD_LIBCURL_DOCS BUILD_MISC_DOCS
      ENABLE_CURL_MANUAL CURL_USE_LIBSSH2 CURL_USE_LIBPSL USE_LIBIDN2 CURL_BROTLI CURL_ENABLE_EXPORT_TARGET)
    set(${word} OFF CACHE INTERNAL "")
  endforeach()
  foreach(word BUILD_STATIC_LIBS HTTP_ONLY CURL_ZSTD CURL_DISABLE_OPENSSL_AUTO_LOAD_CONFIG CURL_DISABLE_INSTALL)
    set(${word} ON CACHE INTERNAL "")
  endforeach()
  set(CURL_CA_BUNDLE none CACHE INTERNAL "")
  set(CURL_CA_PATH none CACHE INTERNAL "")
  add_subdirectory("${portable_sources}/crates/curl-sys/curl" "${PROJECT_BINARY_DIR}/curl" EXCLUDE_FROM_ALL SYSTEM)
  # What nobody calls is left out; no exception passes through it.
  target_compile_options(libcurl_static PRIVATE
    -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables -fno-unwind-tables)
endfunction()
assay_curl()
add_library(curl_headers INTERFACE)
target_link_libraries(curl_headers INTERFACE libcurl_static)
target_compile_definitions(curl_headers INTERFACE ASSAY_CURL_INSIDE)

# assay_check_portable(TARGET): the build step that fails where the program needs more than glibc 2.35.
function(assay_check_portable target)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/cmake/check_portable.py" $<TARGET_FILE:${target}>
    COMMENT "what ${target} needs" VERBATIM)
endfunction()
