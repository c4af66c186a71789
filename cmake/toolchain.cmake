# Compiler, linker and warning settings that hold for every target of ours.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# -Og compiles in four fifths of the time of -O1 (docs/decisions/0032).
set(CMAKE_CXX_FLAGS_DEBUG "-Og -g1")
set(CMAKE_C_FLAGS_DEBUG "-Og -g1")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")

# ccache with paths made relative, so that all checkouts and worktrees of one machine share what they compiled.
find_program(ASSAY_CCACHE ccache)
if(ASSAY_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1 "${ASSAY_CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
find_program(ASSAY_MOLD mold)
if(ASSAY_MOLD AND NOT ASSAY_PORTABLE)
  add_link_options(-fuse-ld=mold)
endif()
mark_as_advanced(ASSAY_CCACHE ASSAY_MOLD)

# Bounds checks of the standard library stay on in every build type: a wrong index ends the program, it never
# reads on.
add_compile_definitions($<$<COMPILE_LANGUAGE:CXX>:_GLIBCXX_ASSERTIONS>)

# The warnings of our own code; third-party targets do not link it. -Wrestrict is wrong about std::string in g++ 12 at
# -O2 (its bug 105651); -Wsubobject-linkage takes the files of a unity unit for headers.
add_library(assay_warnings INTERFACE)
target_compile_options(assay_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local> -Wnon-virtual-dtor
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${ASSAY_UNITY}>>:-Wno-subobject-linkage>
  $<$<BOOL:${ASSAY_WERROR}>:-Werror>)

find_package(Threads REQUIRED)
