// Reads the file: blank lines and lines that begin with # are left out, unless a case is called so.
#include "cli/files/known_flaky.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "base/errors/near_id.h"
#include "base/files/file_reader.h"
#include "base/text/byte_order_mark.h"
#include "base/text/utf8.h"
#include "engine/words.h"
#include "spec/suite/case.h"

namespace assay {

namespace {

constexpr std::size_t kUnknownShownMax = 8;

std::string_view IdIn(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// Cases by their ids, and by the names that people know them by: "loop" of "cases/loop.yaml".
std::unordered_map<std::string_view, std::string_view> CasesByName(std::span<const Case> cases) {
  std::unordered_map<std::string_view, std::string_view> ids;
  for (const Case& the_case : cases) ids.emplace(the_case.id, the_case.id);
  for (const Case& the_case : cases) ids.emplace(NameOfId(the_case.id), the_case.id);
  return ids;
}

}  // namespace

Result<KnownFlakyFile> KnownFlakyFile::Read(const std::string& path) {
  Result<std::string> text = DiskFileReader().Read(path);
  if (!text) return Error{text.error().code, fmt::format("--known-flaky: {}", text.error().message)};
  if (FindInvalidUtf8(*text) != std::string_view::npos)
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("--known-flaky: {} is no text; expected one case id a line", Printable(path))};
  KnownFlakyFile file;
  file.path_ = path;
  std::string_view rest = WithoutByteOrderMark(*text);
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view id = IdIn(rest.substr(0, end));
    if (!id.empty()) file.lines_.push_back({.id = std::string(id), .number = number});
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return file;
}

std::vector<std::string> KnownFlakyFile::CasesOf(std::span<const Case> cases) const {
  std::vector<std::string> ids;
  const auto known = CasesByName(cases);
  for (const Line& line : lines_) {
    const auto found = known.find(line.id);
    if (found != known.end()) ids.emplace_back(found->second);
  }
  for (const Case& the_case : cases) {
    if (the_case.is_flaky) ids.push_back(the_case.id);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

std::string KnownFlakyFile::UnknownText(std::span<const Case> cases) const {
  const auto known = CasesByName(cases);
  std::vector<std::string_view> ids;
  for (const Case& the_case : cases) ids.push_back(the_case.id);
  std::string text;
  std::size_t count = 0;
  for (const Line& line : lines_) {
    if (known.contains(line.id) || line.id.starts_with('#') || ++count > kUnknownShownMax) continue;
    text += fmt::format("{}:{}:1: the run has no case {}{}\n", Printable(path_), line.number, Quoted(line.id),
                        Printable(IdHint(line.id, ids)));
  }
  if (count > kUnknownShownMax)
    text += fmt::format("{}: and {} more that the run does not have\n", Printable(path_),
                        count - kUnknownShownMax);
  return text;
}

}  // namespace assay
