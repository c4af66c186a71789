// PinnedFiles: files that must survive a power cut (pinned documents, the state folder): synced, then renamed
// to their place, replacing what was there; no symbolic link below the folder is followed.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/files/out_folder.h"
#include "base/files/sink.h"

namespace assay {

class PinnedFiles {
 public:
  explicit PinnedFiles(std::string root, ReadableBy readable_by = ReadableBy::kOthers);
  Status Put(std::string_view path, std::string_view bytes);
  Result<OutFolder::Kind> KindOf(std::string_view path) { return root_.KindOf(path); }
  Result<std::string> Read(std::string_view path) { return root_.Read(path); }
  Status Remove(std::string_view path) { return root_.Remove(path); }
  std::string PathOf(std::string_view path) const { return root_.PathOf(path); }

 private:
  OutFolder root_;
  std::unique_ptr<Sink> disk_;
};

}  // namespace assay
