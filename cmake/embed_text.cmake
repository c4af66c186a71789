# cmake -DOUTPUT=file.cc -DHEADER=module/file.h -DFILES="kName=path;..." -P embed_text.cmake
# Writes a source file that defines `const std::string_view kName` with the text of each file, or, where the name ends
# in Digest, with the SHA-256 of the file in hex. The header declares them.
set(source "// Generated from the files named below. Do not edit.\n#include \"${HEADER}\"\n\nnamespace assay {\n")
foreach(entry IN LISTS FILES)
  string(REGEX MATCH "^([A-Za-z]+)=(.*)$" matched "${entry}")
  set(name "${CMAKE_MATCH_1}")
  set(path "${CMAKE_MATCH_2}")
  # Brackets and semicolons would be taken for list syntax, so the text never passes through a list.
  if(name MATCHES "Digest$")
    file(SHA256 "${path}" text)
  else()
    file(READ "${path}" text)
  endif()
  get_filename_component(shown "${path}" NAME)
  string(APPEND source "\n// ${shown}\nconst std::string_view ${name} = R\"embedded(${text})embedded\";\n")
endforeach()
string(APPEND source "\n}  // namespace assay\n")
file(WRITE "${OUTPUT}" "${source}")
