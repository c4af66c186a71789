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

# assay_embed_packed(MODULE HEADER module/file.h NAME kName FILES path...): files that are packed into a ZIP archive,
# whose bytes are compiled into the module as the constant kName of the header. Paths count from the root of the source.
find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)
function(assay_embed_packed module)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER;NAME" "FILES")
  set(archive "${PROJECT_BINARY_DIR}/embedded/${module}.zip")
  set(inputs ${arg_FILES})
  list(TRANSFORM inputs PREPEND "${PROJECT_SOURCE_DIR}/")
  add_custom_command(
    OUTPUT "${archive}"
    COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/cmake/pack.py"
            "${archive}" "${PROJECT_SOURCE_DIR}" ${arg_FILES}
    DEPENDS ${inputs} "${PROJECT_SOURCE_DIR}/cmake/pack.py"
    COMMENT "packed files of ${module}" VERBATIM)
  assay_incbin(${module} "${arg_HEADER}" ${arg_NAME} "${archive}")
endfunction()

# The bytes of a file that the build makes, as the constant `name` of the header.
function(assay_incbin module header name file)
  get_filename_component(label "${file}" NAME_WE)
  set(output "${PROJECT_BINARY_DIR}/embedded/${label}_bytes.cc")
  file(CONFIGURE OUTPUT "${output}" @ONLY CONTENT [[// Generated. Do not edit.
#include "@header@"

__asm__(".section .rodata\nassay_@label@_begin:\n.incbin \"@file@\"\nassay_@label@_end:\n.previous\n");
extern const char kBegin[] __asm__("assay_@label@_begin");
extern const char kEnd[] __asm__("assay_@label@_end");

namespace assay {

const std::string_view @name@(kBegin, static_cast<std::size_t>(kEnd - kBegin));

}  // namespace assay
]])
  set_source_files_properties("${output}" PROPERTIES OBJECT_DEPENDS "${file}")
  target_sources(assay_${module} PRIVATE "${output}")
endfunction()

# assay_model_facts(MODULE models.toml prices.toml): the tables of facts and prices of a module, made of their data
# files, whose errors end the build. Paths count from the root of the source.
function(assay_model_facts module models prices)
  set(output "${PROJECT_BINARY_DIR}/embedded/model_facts.cc")
  set(inputs "${PROJECT_SOURCE_DIR}/${models}" "${PROJECT_SOURCE_DIR}/${prices}")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/cmake/model_facts.py" ${inputs} "${output}"
    DEPENDS ${inputs} "${PROJECT_SOURCE_DIR}/cmake/model_facts.py"
    COMMENT "tables of models and prices" VERBATIM)
  target_sources(assay_${module} PRIVATE "${output}")
endfunction()

# assay_default_models(MODULE default_models.toml models.toml): the tables of whom a suite asks that names nobody, made
# of the data file; the second one says which models end. Paths count from the root of the source.
function(assay_default_models module defaults models)
  set(output "${PROJECT_BINARY_DIR}/embedded/default_models.cc")
  set(inputs "${PROJECT_SOURCE_DIR}/${defaults}" "${PROJECT_SOURCE_DIR}/${models}")
  set(scripts "${PROJECT_SOURCE_DIR}/cmake/default_models.py" "${PROJECT_SOURCE_DIR}/cmake/model_facts.py")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/cmake/default_models.py" ${inputs} "${output}"
    DEPENDS ${inputs} ${scripts}
    COMMENT "table of default models" VERBATIM)
  target_sources(assay_${module} PRIVATE "${output}")
endfunction()

# assay_embed_folder(MODULE HEADER module/file.h FUNCTION Name ITEM Type FOLDER path PATTERNS *.js...): the files of a
# folder, compiled into a module as what the function of the header returns: name and text of each.
function(assay_embed_folder module)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER;FUNCTION;ITEM;FOLDER" "PATTERNS")
  get_filename_component(name "${arg_FOLDER}" NAME)
  set(output "${PROJECT_BINARY_DIR}/embedded/${module}_${name}.cc")
  list(TRANSFORM arg_PATTERNS PREPEND "${PROJECT_SOURCE_DIR}/${arg_FOLDER}/")
  file(GLOB files CONFIGURE_DEPENDS ${arg_PATTERNS})
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" "-DHEADER=${arg_HEADER}" "-DFUNCTION=${arg_FUNCTION}"
            "-DITEM=${arg_ITEM}" "-DFILES=${files}" -P "${PROJECT_SOURCE_DIR}/cmake/embed_folder.cmake"
    DEPENDS ${files} "${PROJECT_SOURCE_DIR}/cmake/embed_folder.cmake"
    COMMENT "embedded ${name} of ${module}" VERBATIM)
  target_sources(assay_${module} PRIVATE "${output}")
endfunction()

# assay_embed_program(MODULE HEADER module/file.h NAME kName SOURCES folder): a program of its own, linked statically
# and compiled into a module as the constant kName of the header, packed by cmake/pack_program.py. Never measured or
# sanitized, since it forks.
function(assay_embed_program module)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER;NAME;SOURCES" "")
  get_filename_component(program "${arg_SOURCES}" NAME)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${arg_SOURCES}/*.cc")
  add_executable(${program} ${sources})
  target_include_directories(${program} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_compile_options(${program} PRIVATE -O2 -fno-exceptions -fno-sanitize=all -fno-profile-arcs -fno-test-coverage)
  target_link_options(${program} PRIVATE -static -s -fno-sanitize=all -fno-profile-arcs)
  target_link_libraries(${program} PRIVATE assay_warnings)
  assay_unity(${program})
  set(packed "${PROJECT_BINARY_DIR}/embedded/${program}.z")
  add_custom_command(
    OUTPUT "${packed}"
    COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/cmake/pack_program.py" $<TARGET_FILE:${program}> "${packed}"
    DEPENDS ${program} "${PROJECT_SOURCE_DIR}/cmake/pack_program.py"
    COMMENT "packed program ${program}" VERBATIM)
  assay_incbin(${module} "${arg_HEADER}" ${arg_NAME} "${packed}")
endfunction()
