// Unpacks the large files that the program carries.
#include "cli/embedded.h"

#include "base/errors/assert.h"
#include "text/packed/zip.h"

namespace assay {

namespace {

constexpr std::size_t kFilesMax = 1'000;
constexpr std::size_t kFileBytesMax = 16u << 20;

}  // namespace

std::string LargeFile(std::string_view path) {
  const Result<ZipArchive> archive = ZipArchive::Open(kLargeFiles, kFilesMax);
  const ZipEntry* entry = archive ? archive->Find(path) : nullptr;
  ASSAY_ASSERT(entry != nullptr);  // the build packs what the program names
  Result<std::string> text = archive->Read(*entry, kFileBytesMax);
  ASSAY_ASSERT(text.has_value());
  return *std::move(text);
}

}  // namespace assay
