// Tests of files that are read where they lie, and of bytes that are kept aside.
#include "base/files/file_bytes.h"

#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/files/file_reader.h"

namespace assay {

namespace {

struct BytesFolder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("assay-bytes-" + std::to_string(::getpid()));
  BytesFolder() { std::filesystem::create_directories(path); }
  ~BytesFolder() { std::filesystem::remove_all(path); }
  std::string Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path / name, std::ios::binary) << bytes;
    return (path / name).string();
  }
};

constexpr std::size_t kLarge = 5u << 20;

}  // namespace

TEST_CASE("file bytes: small and large files, and what lies behind can be read again") {
  const BytesFolder folder;
  for (const std::size_t size : {std::size_t{0}, std::size_t{3}, kLarge}) {
    std::string bytes(size, 'a');
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>('a' + i % 23);
    const auto found = OpenFileBytes(folder.Write("file", bytes), kLarge);
    REQUIRE(found.has_value());
    CHECK((*found)->view() == bytes);
    (*found)->LeaveBehind(size);
    CHECK((*found)->view() == bytes);
    CHECK_FALSE((*found)->HasChanged());
  }
}

TEST_CASE("file bytes: a file that is too long, and none") {
  const BytesFolder folder;
  const auto longer = OpenFileBytes(folder.Write("file", std::string(kLarge, 'a')), kLarge - 1);
  REQUIRE_FALSE(longer.has_value());
  CHECK(longer.error().code == ErrorCode::kLimit);
  CHECK(OpenFileBytes((folder.path / "none").string(), kLarge).error().code == ErrorCode::kNotFound);
}

TEST_CASE("file bytes: what is cut off a file reads as zeros, and is known") {
  const BytesFolder folder;
  const std::string path = folder.Write("file", std::string(kLarge, 'a'));
  const auto found = OpenFileBytes(path, kLarge);
  REQUIRE(found.has_value());
  std::filesystem::resize_file(path, 10);
  CHECK((*found)->view()[kLarge - 1] == '\0');
  CHECK((*found)->HasChanged());
}

TEST_CASE("file bytes: what is kept aside comes back, up to a limit, and leaves no file") {
  const BytesFolder folder;
  DiskFileReader files;
  files.SetSpoolFolder(folder.path.string());
  const std::string piece(300'001, 'x');
  for (const int pieces : {0, 1, 30}) {
    const auto kept = files.Keep(
        [&](const FileReader::Taker& take) -> Status {
          for (int i = 0; i < pieces; ++i) ASSAY_CHECK_OK(take(piece));
          return Ok();
        },
        10u << 20);
    REQUIRE(kept.has_value());
    CHECK((*kept)->view().size() == piece.size() * static_cast<std::size_t>(pieces));
    CHECK((*kept)->view().find_first_not_of('x') == std::string_view::npos);
    CHECK(std::filesystem::is_empty(folder.path));
  }
  const auto more = files.Keep([&](const FileReader::Taker& take) { return take(piece); }, piece.size() - 1);
  REQUIRE_FALSE(more.has_value());
  CHECK(more.error().code == ErrorCode::kLimit);
}

}  // namespace assay
