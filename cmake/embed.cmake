# assay_embed(MODULE HEADER module/file.h kName=path...): the text of files, compiled into a module as constants that
# the header declares (`extern const std::string_view kName;`). Paths count from the root of the source.
function(assay_embed module)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER" "")
  set(output "${PROJECT_BINARY_DIR}/embedded/${module}.cc")
  set(entries "")
  set(inputs "")
  foreach(entry IN LISTS arg_UNPARSED_ARGUMENTS)
    string(REGEX REPLACE "^([A-Za-z]+)=(.*)$" "\\1=${PROJECT_SOURCE_DIR}/\\2" entry "${entry}")
    string(REGEX REPLACE "^[A-Za-z]+=" "" input "${entry}")
    list(APPEND entries "${entry}")
    list(APPEND inputs "${input}")
  endforeach()
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" "-DHEADER=${arg_HEADER}" "-DFILES=${entries}"
            -P "${PROJECT_SOURCE_DIR}/cmake/embed_text.cmake"
    DEPENDS ${inputs} "${PROJECT_SOURCE_DIR}/cmake/embed_text.cmake"
    COMMENT "embedded files of ${module}" VERBATIM)
  target_sources(assay_${module} PRIVATE "${output}")
endfunction()
