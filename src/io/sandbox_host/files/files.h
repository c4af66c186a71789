// Helpers for whole files and folders: read, write, create, delete a tree without following links.
#pragma once

#include <string>
#include <string_view>

#include "io/sandbox_host/step.h"

namespace assay {

std::string ReadWhole(int file);                 // from its beginning; the descriptor stays open
std::string ReadWhole(const std::string& path);  // "" if it cannot be read
bool WriteWhole(const std::string& path, std::string_view bytes);  // an existing file

// Creates the folders of `path` (absolute, or relative to the current folder) that are missing; the last part
// too, if `with_last`.
int MakeFolders(const std::string& path, bool with_last);

// Creates a file that does not exist yet, with the folders above it.
StepError CreateFile(const std::string& path, std::string_view bytes);

// Deletes a tree, whatever stands in it, however deep it is and whoever locked it; follows no links. Nothing
// may write to it meanwhile.
void RemoveTree(const std::string& path);

}  // namespace assay
