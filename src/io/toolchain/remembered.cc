// Stores the answers of toolchains, one small file per question:
//   assay toolchain answer 1
//   DEVICE INODE SIZE CHANGED_NS MOVED_NS PATH   of each thing that it stands on; "- PATH" if it is not there
//   (an empty line)
//   the answer
#include "io/toolchain/remembered.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include "base/files/out_folder.h"
#include "base/files/sink.h"

namespace assay {

namespace {

constexpr std::string_view kFirstLine = "assay toolchain answer 1";
constexpr std::int64_t kNsPerSecond = 1'000'000'000;

std::int64_t Nanoseconds(const timespec& time) { return time.tv_sec * kNsPerSecond + time.tv_nsec; }

std::string StateLine(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return fmt::format("- {}\n", path);
  return fmt::format("{} {} {} {} {} {}\n", info.st_dev, info.st_ino, info.st_size, Nanoseconds(info.st_mtim),
                     Nanoseconds(info.st_ctim), path);
}

std::string_view TakeLine(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string FileName(std::string_view key) { return fmt::format("toolchain-{}", key); }

}  // namespace

std::optional<std::string> RememberedAnswer(const std::string& folder, std::string_view key) {
  const Result<std::string> file = OutFolder(folder).Read(FileName(key));
  if (!file) return std::nullopt;
  std::string_view rest = *file;
  if (TakeLine(rest) != kFirstLine) return std::nullopt;
  for (std::string_view line = TakeLine(rest); !line.empty(); line = TakeLine(rest)) {
    const std::size_t slash = line.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    if (StateLine(std::string(line.substr(slash))) != fmt::format("{}\n", line)) return std::nullopt;
  }
  return rest.empty() ? std::nullopt : std::optional(std::string(rest));
}

void RememberAnswer(const std::string& folder, std::string_view key, std::string_view answer,
                    const std::vector<std::string>& stands_on) {
  std::string text = fmt::format("{}\n", kFirstLine);
  for (const std::string& path : stands_on) {
    const bool is_plain = path.starts_with('/') && path.find('\n') == std::string::npos;
    if (!is_plain) return;
    text += StateLine(path);
  }
  text += fmt::format("\n{}", answer);
  const std::string name = FileName(key);
  const std::string complete = name + ".new";
  OutFolder root(folder);
  const std::unique_ptr<Sink> sink = MakeDiskSink(folder, Durability::kAtomic);
  // Of two that write at once one is too late.
  const bool is_written = root.Remove(complete) && sink->Open(complete) && sink->Write(text) && sink->Close();
  if (is_written) static_cast<void>(root.Rename(complete, name).has_value());
}

}  // namespace assay
