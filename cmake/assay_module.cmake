# assay_module(NAME DEPENDS module... LIBS target... ROOMS folder...): one folder of src/ as one library.
#   assay_NAME   static library of src/NAME/**/*.cc (without *_test.cc, main.cc, and *_host/, which are programs of
#                their own); an interface library while the module has headers only, or nothing yet
#   NAME_test    doctest executable of src/NAME/**/*_test.cc, a ctest with label `unit`
# DEPENDS are the only modules that NAME may include. Each must be declared before NAME, so a cycle or an
# upward link cannot be written; check_layers.cmake proves the includes as a build step. ROOMS are folders of NAME,
# lowest first, of which the same is proved. Adding a file needs no edit here.
set(ASSAY_MODULES base text io spec statistics dataset checks providers corpus agent dialects plan store run report
    engine view cluster cli)

# UndefinedBehaviorSanitizer watches the modules that read foreign bytes or calculate. It makes a unit cost a third
# more, and the others are branches and calls (docs/decisions/0093).
option(ASSAY_UNDEFINED "Compile these modules with UndefinedBehaviorSanitizer" OFF)
set(ASSAY_UNDEFINED_MODULES base text io spec statistics dataset checks providers corpus dialects store report
    view)
# Unit tests that CI runs in the plain tree: of a module that prints what others have read and parsed. To compile it
# under sanitizers takes a sixth of the sanitized tree; ./dev test --all does (docs/decisions/0093).
set(ASSAY_PRINTING_TESTS cli_test)
# Without the checks of each access through a pointer, which AddressSanitizer has, too: they are a third of what
# the sanitizers add to a unit. The fuzz preset keeps them.
set(ASSAY_UNDEFINED_FLAGS -fsanitize=undefined -fno-sanitize-recover=all
    -fno-sanitize=null,alignment,object-size,pointer-overflow,vptr,nonnull-attribute,returns-nonnull-attribute)

function(assay_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;LIBS;ROOMS")
  if(NOT name IN_LIST ASSAY_MODULES)
    message(FATAL_ERROR "module ${name} is not listed in cmake/assay_module.cmake")
  endif()
  foreach(dependency IN LISTS arg_DEPENDS)
    if(NOT TARGET assay_${dependency})
      message(FATAL_ERROR
        "module ${name} depends on ${dependency}, which is not declared before it in src/CMakeLists.txt")
    endif()
  endforeach()

  set(folder "${PROJECT_SOURCE_DIR}/src/${name}")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${folder}/*.cc")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${folder}/*.h")
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "(_test|/main)\\.cc$|_host/([a-z_]+/)?[a-z_]+\\.cc$")

  list(TRANSFORM arg_DEPENDS PREPEND assay_ OUTPUT_VARIABLE libraries)
  if(sources)
    add_library(assay_${name} STATIC ${sources})
    target_sources(assay_${name} PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/src" FILES ${headers})
    target_include_directories(assay_${name} PUBLIC "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(assay_${name} PUBLIC ${libraries} fmt::fmt PRIVATE ${arg_LIBS} assay_warnings)
    if(ASSAY_UNDEFINED AND name IN_LIST ASSAY_UNDEFINED_MODULES)
      target_compile_options(assay_${name} PRIVATE ${ASSAY_UNDEFINED_FLAGS})
    endif()
    assay_unity(assay_${name})
  else()
    add_library(assay_${name} INTERFACE)
    target_sources(assay_${name} INTERFACE FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/src" FILES ${headers})
    target_include_directories(assay_${name} INTERFACE "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(assay_${name} INTERFACE ${libraries} fmt::fmt ${arg_LIBS})
  endif()
  set_property(GLOBAL APPEND PROPERTY ASSAY_MODULE_TARGETS assay_${name})

  assay_check_layers(${name} "${arg_DEPENDS}" "${arg_ROOMS}" "${sources};${headers};${tests}")
  if(ASSAY_TESTS AND tests)
    assay_doctest(${name}_test LABEL unit SOURCES ${tests} LIBS assay_${name} ${arg_LIBS})
    add_dependencies(${name}_test layers_${name})
  endif()
endfunction()

# The build step behind assay_module: fails the build at an include that the module may not have.
function(assay_check_layers name allowed rooms files)
  set(main "${PROJECT_SOURCE_DIR}/src/${name}/main.cc")
  if(EXISTS "${main}")
    list(APPEND files "${main}")
  endif()
  list(REMOVE_ITEM files "")
  list(JOIN allowed " " allowed_text)
  list(JOIN ASSAY_MODULES " " modules_text)
  list(JOIN rooms " " rooms_text)
  set(stamp "${PROJECT_BINARY_DIR}/layers/${name}.stamp")
  add_custom_command(
    OUTPUT "${stamp}"
    COMMAND "${CMAKE_COMMAND}" "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}/src" -DMODULE=${name} "-DALLOWED=${allowed_text}"
            "-DMODULES=${modules_text}" "-DROOMS=${rooms_text}" -P "${PROJECT_SOURCE_DIR}/cmake/check_layers.cmake"
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
    DEPENDS ${files} "${PROJECT_SOURCE_DIR}/cmake/check_layers.cmake"
            "${PROJECT_SOURCE_DIR}/cmake/third_party_headers.cmake"
    COMMENT "layers of ${name}" VERBATIM)
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/layers")
  add_custom_target(layers_${name} ALL DEPENDS "${stamp}")
  add_dependencies(assay_${name} layers_${name})
endfunction()

# assay_doctest(TARGET LABEL label SOURCES file... LIBS target... [APART file]): one doctest executable and its ctest.
# Tests run in the root of the checkout, so that they can name files of the repository. Those of the source file APART
# are a ctest of their own, so that a second core has work.
function(assay_doctest target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL;APART" "SOURCES;LIBS")
  if(NOT TARGET assay_doctest_main)
    add_library(assay_doctest_main OBJECT "${PROJECT_SOURCE_DIR}/tests/doctest_main.cc")
    target_link_libraries(assay_doctest_main PUBLIC doctest::doctest)
  endif()
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE assay_doctest_main ${arg_LIBS} assay_warnings)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
  assay_unity(${target})
  set(tests ${target})
  set(others "")
  if(arg_APART)
    set(others "--source-file-exclude=*/${arg_APART}")
    list(APPEND tests ${target}_apart)
    add_test(NAME ${target}_apart COMMAND ${target} "--source-file=*/${arg_APART}"
      WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  endif()
  add_test(NAME ${target} COMMAND ${target} ${others} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set(labels ${arg_LABEL})
  if(target IN_LIST ASSAY_PRINTING_TESTS)
    list(APPEND labels printing)
  endif()
  # As of scripts, only what hangs ends by this limit.
  set_tests_properties(${tests} PROPERTIES LABELS "${labels}" TIMEOUT 3600)
  # What the sanitizer presets build: the tests that they run, and nothing else; and what CI builds of it.
  foreach(set sanitized_tests sanitized_tests_of_ci printing_tests)
    if(NOT TARGET ${set})
      add_custom_target(${set})
    endif()
  endforeach()
  if(arg_LABEL MATCHES "^(unit|sim)$")
    add_dependencies(sanitized_tests ${target})
    if("printing" IN_LIST labels)
      add_dependencies(printing_tests ${target})
    else()
      add_dependencies(sanitized_tests_of_ci ${target})
    endif()
  endif()
endfunction()
