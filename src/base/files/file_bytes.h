// FileBytes: the whole content of a file, in memory or mapped from the disk. A mapped file may be larger than
// memory: whoever reads it from start to end gives the pages back that it has left behind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/errors/result.h"

namespace assay {

class FileBytes {
 public:
  virtual ~FileBytes() = default;
  virtual std::string_view view() const = 0;  // good for the object's life
  // What lies before `offset` is not needed soon. It can still be read.
  virtual void LeaveBehind(std::size_t offset) const { static_cast<void>(offset); }
  // Whether the file is another one than when it was opened. What is cut off meanwhile reads as zeros.
  virtual bool HasChanged() const { return false; }
};

std::shared_ptr<const FileBytes> InMemory(std::string bytes);
// A regular file; errors as of OpenFile::Open. Small ones are read.
Result<std::shared_ptr<const FileBytes>> OpenFileBytes(std::string_view path, std::uint64_t bytes_max);
// The file behind an open descriptor, which is closed. `path`: for messages.
Result<std::shared_ptr<const FileBytes>> MapDescriptor(int descriptor, std::uint64_t bytes_max,
                                                       std::string_view path);

}  // namespace assay
