// Writes ZIP archives (PKWARE's APPNOTE 6.3) front to back: deflated files, their sizes behind them; the list
// of files in ZIP64 form where there are too many, or they lie too far, for the plain one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "base/files/sink.h"

namespace assay {

class ZipWriter {
 public:
  explicit ZipWriter(Sink& sink);  // an open file; only Write is called
  ~ZipWriter();

  // One file after the other. kLimit: one of 4 GiB or more.
  Status Begin(std::string name);
  Status Write(std::string_view bytes);
  Status End();
  Status Add(std::string name, std::string_view bytes);
  // The list of files; once, at the end.
  Status Finish();

 private:
  struct Listed {
    std::string name;
    std::uint32_t crc = 0;
    std::uint64_t packed_bytes = 0;
    std::uint64_t plain_bytes = 0;
    std::uint64_t offset = 0;
  };
  class Deflater;

  Status Put(std::string_view bytes);
  Status Pump(std::string_view bytes, bool is_last);

  Sink& sink_;
  std::unique_ptr<Deflater> deflater_;
  std::vector<Listed> files_;
  std::uint64_t offset_ = 0;
};

}  // namespace assay
