// Spool: bytes that are written now and read later, in memory up to a limit and in an unnamed temporary file
// above it. For sections of a file that are made side by side.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/files/sink.h"

namespace assay {

class Spool final : public Sink {
 public:
  Status Open(std::string_view) override { return Ok(); }
  Status Write(std::string_view bytes) override;
  Status Close() override { return Ok(); }

  bool empty() const { return file_ == nullptr && head_.empty(); }
  // All that was written so far, in pieces.
  Status Read(const std::function<Status(std::string_view)>& take) const;

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::string head_;                           // what is not in the file
  std::unique_ptr<std::FILE, CloseFile> file_;  // what was written before it
  bool memory_only_ = false;                   // there is no place for temporary files
};

}  // namespace assay
