# assay_unity(TARGET): compiles the target's own .cc files 48 at a time, since most of a unit's time goes into the
# standard library's headers (docs/decisions/0032). Call it once all of them are known; files that the build makes are
# compiled alone. CMake's own unity units name files by absolute paths, and so does __FILE__ in them: no two checkouts
# could share what ccache keeps.
option(ASSAY_UNITY "Compile several files of a target as one unit" ON)

# The compiler collects no garbage below 2 GB: a tenth of its time in units of this size. A unit takes up to 2.2 GB, so
# that a machine with many cores and little memory compiles fewer at once.
if(ASSAY_UNITY)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(--param=ggc-min-heapsize=2000000)
  endif()
  cmake_host_system_information(RESULT free_mib QUERY AVAILABLE_PHYSICAL_MEMORY)
  math(EXPR units_at_once "${free_mib} / 2300 + 1")
  set_property(GLOBAL PROPERTY JOB_POOLS units=${units_at_once})
  set(CMAKE_JOB_POOL_COMPILE units)
endif()

function(assay_unity target)
  if(NOT ASSAY_UNITY)
    return()
  endif()
  set(batch_size 48)
  get_target_property(sources ${target} SOURCES)
  list(TRANSFORM sources REPLACE "^${PROJECT_SOURCE_DIR}/" "")
  list(FILTER sources INCLUDE REGEX "^(src|tests)/.*\\.cc$")
  set(number 0)
  set(lines "")
  list(LENGTH sources left)
  foreach(source IN LISTS sources)
    string(APPEND lines "#include \"${source}\"\n")
    set_source_files_properties("${PROJECT_SOURCE_DIR}/${source}" PROPERTIES HEADER_FILE_ONLY ON)
    math(EXPR left "${left} - 1")
    math(EXPR number "${number} + 1")
    math(EXPR place "${number} % ${batch_size}")
    if(place EQUAL 0 OR left EQUAL 0)
      set(unit "${PROJECT_BINARY_DIR}/unity/${target}_${number}.cc")
      file(CONFIGURE OUTPUT "${unit}" CONTENT "// Generated. Do not edit.\n${lines}" @ONLY)
      target_sources(${target} PRIVATE "${unit}")
      set(lines "")
    endif()
  endforeach()
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
endfunction()
