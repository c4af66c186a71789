// fuzz_replay TARGET PATH...: runs a fuzz target over every file of the folders and files, so that each input
// ever found stays a test under the ordinary compiler. A folder that does not exist is an error: an empty
// replay proves nothing. The build lists the targets in fuzz_targets.inc.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "tests/fuzz/target.h"

#define REPLAYED(name) FUZZ_TARGET(name)(const uint8_t* data, size_t size);
#include "fuzz_targets.inc"
#undef REPLAYED

namespace {

using Entry = int (*)(const uint8_t* data, size_t size);

struct Target {
  std::string_view name;
  Entry entry;
};
constexpr Target kTargets[] = {
#define REPLAYED(name) {#name, Fuzz_##name},
#include "fuzz_targets.inc"
#undef REPLAYED
};

Entry EntryOf(std::string_view name) {
  for (const Target& target : kTargets) {
    if (target.name == name) return target.entry;
  }
  return nullptr;
}

void Replay(Entry entry, const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  entry(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
}

// How many inputs there were.
int ReplayAll(Entry entry, const char* path) {
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error)) {
    Replay(entry, path);
    return 1;
  }
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(path, error)) {
    if (!file.is_regular_file()) continue;
    Replay(entry, file.path());
    ++count;
  }
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  const Entry entry = argc > 1 ? EntryOf(argv[1]) : nullptr;
  if (entry == nullptr) {
    std::fprintf(stderr, "usage: fuzz_replay TARGET PATH...; the targets are tests/fuzz/*.cc\n");
    return 2;
  }
  int replayed = 0;
  for (int i = 2; i < argc; ++i) replayed += ReplayAll(entry, argv[i]);
  std::printf("replayed %d inputs\n", replayed);
  return replayed > 0 ? 0 : 1;
}
