// ToolchainRow: how a toolchain is asked for its version and packages, and what its programs need. Adding a
// toolchain is adding a row.
#pragma once

#include <span>
#include <string_view>

namespace assay {

struct ToolchainRow {
  std::string_view name;
  std::string_view programs;  // that must be there, with blanks between them
  // What asks it about itself: "sh -c", "python3 -I -c" or "node -e", and the script. It starts in / and
  // prints lines:
  // "version TEXT" once; "root PATH" for what it needs beside /usr; "path PATH" for folders that hold its
  // programs; "package NAME VERSION" for what its language can import; "absent NAME" for those of
  // $ASSAY_PACKAGES that it cannot; "watch PATH" for whatever else changes when the answer does, folders by
  // what is in them.
  std::string_view asked;
  std::string_view script;
  std::string_view beside;       // what it needs of /etc, patterns with blanks between them
  std::string_view environment;  // NAME=VALUE with blanks between them; {folder} is ToolchainPlaces::folder
  std::string_view scratch;      // a folder that programs write and that need not start empty; {folder} too
  std::string_view install;      // how to get it
  std::string_view settled = {};  // NAME=VALUE too, which changes no verdict: in no digest
};

std::span<const ToolchainRow> ToolchainTable();

}  // namespace assay
