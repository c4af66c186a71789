// The kinds of files of tests.
#include "dialects/promptfoo/read/test_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "dialects/promptfoo/csv/csv_tests.h"
#include "dialects/promptfoo/read/documents.h"
#include "dialects/promptfoo/read/paths.h"
#include "dialects/promptfoo/read/test_reader.h"
#include "text/json/json.h"

namespace assay::promptfoo {

namespace {

class TestFile {
 public:
  TestFile(const ReadContext& context, std::string path, bool is_whole, Span where, std::vector<Test>& out)
      : context_(context), path_(std::move(path)), is_whole_(is_whole), where_(where), out_(out) {}

  void Read() {
    const std::string ending = ExtensionOf(path_);
    if (ending == ".csv") {
      const std::optional<FileId> file = ReadSource(context_, path_, where_);
      if (file) ReadCsvTests(context_, *file, out_);
    } else if (ending == ".jsonl") {
      ReadJsonLines();
    } else if (ending == ".json" || ending == ".yaml" || ending == ".yml") {
      const std::optional<Value> document = ReadDocument(context_, path_, where_);
      if (document) AddAll(*document, is_whole_ && ending == ".json");
    } else {
      context_.Error("promptfoo.tests",
                     fmt::format("{}: no tests are read from a file of this kind", Quoted(path_)), where_,
                     ending == ".xlsx" || ending == ".xls" ? "save the sheet as CSV, and name that file"
                                                           : "name a .yaml, .json, .jsonl or .csv file");
    }
  }

 private:
  void AddAll(const Value& document, bool gets_descriptions) {
    if (document.is_nullish()) return;
    if (!document.is_list()) return Add(document, gets_descriptions, 1);
    std::size_t number = 0;
    for (const Value& each : document.AsList()) Add(each, gets_descriptions, ++number);
  }

  void Add(const Value& value, bool gets_description, std::size_t number) {
    std::optional<Test> test = ReadOneTest(context_, value, FolderOf(path_), false);
    if (!test) return;
    if (gets_description && test->description.empty()) test->description = fmt::format("Row #{}", number);
    out_.push_back(*std::move(test));
  }

  void ReadJsonLines() {
    const std::optional<FileId> file = ReadSource(context_, path_, where_);
    if (!file) return;
    const std::string_view text = context_.sources.Text(*file);
    std::size_t number = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string_view line = text.substr(at, end - at);
      if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
        const std::optional<Value> value = ReadLine(*file, line, at);
        if (value) Add(*value, is_whole_, ++number);
      }
      at = end + 1;
    }
  }

  std::optional<Value> ReadLine(FileId file, std::string_view line, std::size_t at) {
    Result<Value> value = ParseJson(line);
    const auto offset = static_cast<std::uint32_t>(at);
    if (!value) {
      Span where = value.error().where.value_or(Span{});
      context_.Error("promptfoo.tests", "expected one test of JSON a line: " + value.error().message,
                     {file, where.offset + offset, where.length}, "write {\"vars\": {…}} on one line");
      return std::nullopt;
    }
    Place(*value, file, offset);
    return *std::move(value);
  }

  static void Place(Value& value, FileId file, std::uint32_t offset) {
    value.span = {file, value.span.offset + offset, value.span.length};
    if (value.is_list()) {
      for (Value& item : value.AsList()) Place(item, file, offset);
    } else if (value.is_map()) {
      for (Member& member : value.AsMap()) {
        member.key_span = {file, member.key_span.offset + offset, member.key_span.length};
        Place(member.value, file, offset);
      }
    }
  }

  const ReadContext& context_;
  std::string path_;
  bool is_whole_;
  Span where_;
  std::vector<Test>& out_;
};

bool IsYamlPath(std::string_view path) { return path.ends_with("yaml") || path.ends_with("yml"); }

}  // namespace

void ReadTestPath(const ReadContext& context, const std::string& named, const std::string& folder,
                  bool is_whole, Span where, std::vector<Test>& out) {
  for (const std::string_view remote : {"https://", "http://", "huggingface://", "azureblob://"}) {
    if (!named.starts_with(remote)) continue;
    context.Error("promptfoo.tests", fmt::format("tests: {} is not a file here", Quoted(named)), where,
                  "download it, and name the file");
    return;
  }
  const std::string path(WithoutFilePrefix(named));
  if (IsCodePath(path)) {
    context.code.push_back({.use = CodeUse::kTests, .named = named, .where = where});
    return;
  }
  // A path that is all there is, and no YAML, is a file and no pattern.
  const bool is_pattern = !is_whole || IsYamlPath(path);
  const std::vector<std::string> found =
      is_pattern ? FilesOf(context.files, folder, path) : std::vector<std::string>{path};
  if (found.empty() && !context.options.is_compatible)
    context.Error("promptfoo.tests", fmt::format("tests: no file is named {}", Quoted(path)), where,
                  "name files from the folder of the config");
  for (const std::string& file : found) {
    if (IsCodePath(file)) {
      context.code.push_back({.use = CodeUse::kTests, .named = file, .where = where});
    } else {
      TestFile(context, JoinedPath(folder, file), is_whole, where, out).Read();
    }
  }
}

}  // namespace assay::promptfoo
