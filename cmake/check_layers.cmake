# Proves the layers of one module; a build step of every module (cmake/assay_module.cmake):
#   cmake -DSOURCE_DIR=src -DMODULE=plan "-DALLOWED=base text" "-DMODULES=base text … cli" -P check_layers.cmake
# Every `#include "folder/file.h"` of the module must name the module itself or an allowed one, and
# third-party headers must belong to the module by third_party_headers.cmake. Prints every offence, then
# fails.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/third_party_headers.cmake")
separate_arguments(ALLOWED)
separate_arguments(MODULES)
list(JOIN ALLOWED " " allowed_text)
set(offences "")

function(offence file text)
  file(RELATIVE_PATH shown "${SOURCE_DIR}/.." "${file}")
  set(offences "${offences}\n  ${shown}: ${text}" PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE files "${SOURCE_DIR}/${MODULE}/*.cc" "${SOURCE_DIR}/${MODULE}/*.h")
foreach(file IN LISTS files)
  file(STRINGS "${file}" includes REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE "^[ \t]*#[ \t]*include[ \t]*([<\"])([^>\"]*).*$" "\\1;\\2" parts "${line}")
    list(GET parts 0 quote)
    list(GET parts 1 path)
    string(REGEX REPLACE "/.*$" "" folder "${path}")
    if(folder IN_LIST MODULES)
      if(quote STREQUAL "<")
        offence("${file}" "<${path}> is a header of ours; write \"${path}\"")
      elseif(NOT folder STREQUAL MODULE AND NOT folder IN_LIST ALLOWED)
        offence("${file}"
          "\"${path}\" is outside the layers; module ${MODULE} may include only: ${MODULE} ${allowed_text}")
      endif()
    elseif(quote STREQUAL "\"")
      if(NOT (folder STREQUAL "tests" AND file MATCHES "_test\\.cc$"))
        offence("${file}"
          "\"${path}\" names no module; write \"module/file.h\", or <…> for a header that is not ours")
      endif()
    endif()
    foreach(row IN LISTS third_party_headers)
      string(REGEX MATCH "^(.*)\\|([^|]*)$" unused "${row}")
      set(pattern "${CMAKE_MATCH_1}")
      set(owners "${CMAKE_MATCH_2}")
      if(path MATCHES "${pattern}")
        string(REPLACE " " ";" owner_list "${owners}")
        if(NOT (MODULE IN_LIST owner_list OR ("test" IN_LIST owner_list AND file MATCHES "_test\\.cc$")))
          offence("${file}" "<${path}> may be included only in: ${owners}")
        endif()
      endif()
    endforeach()
  endforeach()
endforeach()

if(offences)
  message(FATAL_ERROR "module ${MODULE} breaks its layers:${offences}\n"
    "(the list is in src/CMakeLists.txt, libraries are in cmake/third_party_headers.cmake)")
endif()
