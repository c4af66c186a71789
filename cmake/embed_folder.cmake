# cmake -DOUTPUT=file.cc -DHEADER=module/file.h -DFUNCTION=Name -DITEM=Type -DFILES="path;..." -P embed_folder.cmake
# Writes a source file that defines `std::span<const Type> Name()` with the name and the text of each file.
set(source "// Generated from the files named below. Do not edit.\n#include \"${HEADER}\"\n\nnamespace assay {\n\n")
string(APPEND source "namespace {\n")
set(rows "")
set(number 0)
foreach(path IN LISTS FILES)
  file(READ "${path}" text)
  get_filename_component(name "${path}" NAME)
  string(APPEND source "\n// ${name}\nconstexpr std::string_view kFile${number} = R\"embedded(${text})embedded\";\n")
  string(APPEND rows "    {\"${name}\", kFile${number}},\n")
  math(EXPR number "${number} + 1")
endforeach()
string(APPEND source "\nconstexpr ${ITEM} kFiles[] = {\n${rows}};\n\n}  // namespace\n\n"
  "std::span<const ${ITEM}> ${FUNCTION}() { return kFiles; }\n\n}  // namespace assay\n")
file(WRITE "${OUTPUT}" "${source}")
