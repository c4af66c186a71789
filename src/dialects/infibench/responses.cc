// Reads recorded answers: a folder whose params.yaml names the files of each case, or a CSV file with all of
// them.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "base/files/path_names.h"
#include "base/hash.h"
#include "base/limits.h"
#include "dialects/infibench/case_file.h"
#include "dialects/infibench/infibench.h"
#include "dialects/unlisted_cases.h"
#include "spec/suite/suite.h"
#include "text/csv_table.h"
#include "text/found.h"
#include "text/yaml/yaml.h"

namespace assay::infibench {

namespace {

constexpr std::string_view kParams = "params.yaml";
constexpr std::size_t kSourceDigits = 12;
// What pandas reads as "no value", which the harness then grades as the text `nan`.
constexpr std::string_view kMissing[] = {"",     "#N/A",   "#N/A N/A", "#NA",  "-1.#IND", "-1.#QNAN", "-NaN",
                                         "-nan", "1.#IND", "1.#QNAN",  "<NA>", "N/A",     "NA",       "NULL",
                                         "NaN",  "None",   "n/a",      "nan",  "null"};

// The answers to each case, in the order of attempts; nothing where one cannot be read.
struct Answers {
  std::string model;
  Value params;
  std::map<std::string, std::vector<std::optional<std::string>>, std::less<>> by_case;
};

Span StartOf(FileId file) { return {.file = file, .offset = 0, .length = 0}; }

void ReadAnswerFile(const std::string& folder, const Value& name, const ReadInput& input,
                    std::vector<std::optional<std::string>>& answers) {
  std::optional<std::string> answer;
  Result<std::string> text = Error{ErrorCode::kInvalidInput, "expected the name of a file"};
  if (name.is_string()) text = ReadText(input.files, folder + name.AsString());
  if (text && text->size() > limits::kReplyBytesMax) {
    text =
        Error{ErrorCode::kLimit, fmt::format("{} holds {} bytes, an answer may have {}",
                                             Quoted(name.AsString()), text->size(), limits::kReplyBytesMax)};
  }
  if (text) {
    answer = *std::move(text);
  } else if (text.error().code == ErrorCode::kRefused) {
    input.diagnostics.Error("infibench.answer", text.error().message, name.span,
                            "answers lie in their folder");
  } else {
    input.diagnostics.Warning("infibench.answer", text.error().message, name.span,
                              "this attempt is an error");
  }
  answers.push_back(std::move(answer));
}

std::optional<Answers> ReadFolder(const ReadInput& input, const std::string& folder) {
  const std::string path = folder + std::string(kParams);
  Result<std::string> text = input.files.Read(path);
  if (!text) {
    input.diagnostics.Error(
        "infibench.responses", text.error().message, Span{},
        "a folder of answers holds params.yaml with `answer_paths`: case -> list of files");
    return std::nullopt;
  }
  const FileId file = input.sources.Add(path, *std::move(text));
  const std::size_t errors_before = input.diagnostics.ErrorCount();
  std::vector<Value> documents =
      ReadYaml(file, input.sources.Text(file), YamlRules::kPyYaml, input.diagnostics);
  if (input.diagnostics.ErrorCount() > errors_before) return std::nullopt;
  const Map* paths = documents.size() == 1 ? FindMap(documents.front(), "answer_paths") : nullptr;
  if (paths == nullptr) {
    input.diagnostics.Error("infibench.responses",
                            "expected `answer_paths`, a mapping of cases to lists of files", StartOf(file),
                            "cases are named exactly as in the suite");
    return std::nullopt;
  }
  Answers answers;
  for (const Member& member : *paths) {
    std::vector<std::optional<std::string>>& of_case = answers.by_case[member.key];
    if (!member.value.is_list()) {
      input.diagnostics.Error("infibench.responses",
                              fmt::format("{}: expected a list of files", Quoted(member.key)),
                              member.value.span);
      continue;
    }
    for (const Value& name : member.value.AsList()) ReadAnswerFile(folder, name, input, of_case);
  }
  Map& params = documents.front().AsMap();
  params.Erase("answer_paths");
  answers.model = params.TextAt("model_name");
  answers.params = Value(std::move(params));
  if (input.diagnostics.ErrorCount() > errors_before) return std::nullopt;
  return answers;
}

std::string_view WithoutBlanksAround(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

std::optional<Answers> ReadTable(const ReadInput& input) {
  Result<std::string> text = ReadText(input.files, input.path);
  if (!text) {
    input.diagnostics.Error("infibench.responses", text.error().message, Span{});
    return std::nullopt;
  }
  const FileId file = input.sources.Add(input.path, *std::move(text));
  const bool like_pandas = input.options.compat == Compat::kInfibench;
  constexpr std::string_view kColumns[] = {"filename", "completion"};
  CsvTable table = ReadCsvTable(input.sources.Text(file), kColumns, like_pandas);
  for (CsvProblem& problem : table.problems) {
    input.diagnostics.Error("infibench.responses", std::move(problem.message),
                            {.file = file, .offset = problem.offset, .length = problem.length},
                            std::move(problem.hint));
  }
  if (!table.problems.empty()) return std::nullopt;
  Answers answers;
  for (std::vector<std::string>& row : table.rows) {
    std::string& completion = row[1];
    const bool is_missing =
        std::find(std::begin(kMissing), std::end(kMissing), completion) != std::end(kMissing);
    if (is_missing && like_pandas) completion = "nan";
    answers.by_case[std::string(WithoutBlanksAround(row[0]))].emplace_back(std::move(completion));
  }
  return answers;
}

// Names what the answers are for and the suite lacks; of a part of a suite nobody knows.
void WarnOfStrangers(const Answers& answers, const Suite& suite, const ReadInput& input) {
  if (TakesPart(input.options)) return;
  std::set<std::string_view> known;
  for (const Case& the_case : suite.cases) known.insert(the_case.id);
  std::vector<std::string_view> strangers;
  for (const auto& [name, texts] : answers.by_case) {
    if (!known.contains(name)) strangers.emplace_back(name);
  }
  WarnOfUnlisted(input.path, strangers, suite, "infibench.responses", input.diagnostics);
}

Recording RecordingOf(const ReadInput& input, std::shared_ptr<const Answers> answers) {
  Sha256 hash;
  for (const auto& [name, texts] : answers->by_case) {
    for (const std::optional<std::string>& text : texts) {
      hash.Update(
          fmt::format("{}:{}:{}:", name.size(), name, text ? static_cast<std::int64_t>(text->size()) : -1));
      hash.Update(text.value_or(""));
    }
  }
  Recording recording;
  recording.source = "responses:" + HexPrefix(hash.Finish(), kSourceDigits);
  recording.path = input.path;
  recording.strict = true;
  recording.find = [answers](const Suite& suite, const ModelRequest&,
                             const RequestTag& tag) -> std::optional<ModelReply> {
    if (tag.role != RequestRole::kCandidate) return std::nullopt;
    const auto found = answers->by_case.find(suite.cases[tag.case_index].id);
    if (found == answers->by_case.end() || tag.attempt >= found->second.size() || !found->second[tag.attempt])
      return std::nullopt;
    ModelReply reply;
    reply.text = *found->second[tag.attempt];
    reply.finish_reason = "stop";
    return reply;
  };
  return recording;
}

std::optional<Recording> ReadResponses(const ReadInput& input, Suite& suite) {
  const bool is_table = input.path.ends_with(".csv");
  const std::string folder = input.path.ends_with('/') ? input.path : input.path + "/";
  std::optional<Answers> answers = is_table ? ReadTable(input) : ReadFolder(input, folder);
  if (!answers) return std::nullopt;
  WarnOfStrangers(*answers, suite, input);
  const std::string name(is_table ? StemOf(input.path) : FolderNameOf(input.path));
  Variant variant;
  variant.id = name;
  variant.model_id = name;
  variant.provider = "replay";
  variant.model = answers->model.empty() ? name : answers->model;
  variant.label = answers->model;
  variant.details = answers->params;
  suite.variants = {std::move(variant)};
  suite.attempts = 1;
  for (Case& the_case : suite.cases) {
    const auto found = answers->by_case.find(the_case.id);
    std::size_t attempts = found == answers->by_case.end() ? 0 : found->second.size();
    if (input.options.attempts) attempts = std::min<std::size_t>(attempts, *input.options.attempts);
    the_case.attempts = static_cast<AttemptIndex>(std::min(attempts, limits::kAttemptsMax));
    suite.attempts = std::max(suite.attempts, *the_case.attempts);
  }
  return RecordingOf(input, std::make_shared<const Answers>(*std::move(answers)));
}

}  // namespace

}  // namespace assay::infibench

namespace assay {

std::optional<Recording> ReadInfibenchResponses(const ReadInput& input, Suite& suite) {
  return infibench::ReadResponses(input, suite);
}

}  // namespace assay
