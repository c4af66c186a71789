// Reads result files and answer folders, and matches their cases with those of a suite, by id or by what was
// asked.
#include "engine/open/imported.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <unordered_map>

#include "base/files/file_reader.h"
#include "base/files/scoped_files.h"
#include "base/hash.h"
#include "base/limits.h"
#include "dialects/unlisted_cases.h"
#include "engine/words.h"
#include "report/decide/changed_cases.h"
#include "report/decide/comparison.h"
#include "report/import/imported_run.h"
#include "report/import/limits.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr std::size_t kSourceHexDigits = 12;

// The answers of one variant to one case, in the order of attempts.
using Attempts = std::vector<const Cell*>;

struct RecordedAnswers {
  std::shared_ptr<const ImportedRun> run;
  std::vector<std::vector<Attempts>> of;  // by case and variant of the suite
};

// What is said before the model answers, as one text.
std::string QuestionOf(const Case& the_case) {
  std::string text;
  for (const Turn& turn : the_case.turns) {
    if (turn.kind == TurnKind::kText) text += fmt::format("{}\x1f{}\x1e", RoleName(turn.role), turn.text);
  }
  return text;
}

// By case of the suite, the case of the file.
std::vector<std::optional<CaseIndex>> CasesOfFile(const Suite& suite, const Suite& file) {
  std::unordered_map<std::string, CaseIndex> by_id;
  std::unordered_map<std::string, CaseIndex> by_question;
  for (CaseIndex i = 0; i < file.cases.size(); ++i) {
    by_id.emplace(file.cases[i].id, i);
    if (const std::string question = QuestionOf(file.cases[i]); !question.empty())
      by_question.emplace(question, i);
  }
  std::vector<std::optional<CaseIndex>> cases;
  for (const Case& the_case : suite.cases) {
    std::optional<CaseIndex>& found = cases.emplace_back();
    if (const auto same = by_id.find(the_case.id); same != by_id.end()) {
      found = same->second;
    } else if (const auto asked = by_question.find(QuestionOf(the_case)); asked != by_question.end()) {
      found = asked->second;
    }
  }
  return cases;
}

// The cases of the file that are none of the suite's.
std::vector<std::string_view> StrangersIn(const Suite& file,
                                          const std::vector<std::optional<CaseIndex>>& cases) {
  std::vector<bool> is_listed(file.cases.size());
  for (const std::optional<CaseIndex>& found : cases) {
    if (found) is_listed[*found] = true;
  }
  std::vector<std::string_view> strangers;
  for (CaseIndex i = 0; i < file.cases.size(); ++i) {
    if (!is_listed[i]) strangers.emplace_back(file.cases[i].id);
  }
  return strangers;
}

bool HasAnswer(const Cell& cell) {
  return cell.state != CellState::kSkipped && cell.record.transcript.error.empty();
}

// The text that the model gave in this turn of the case; of the earlier turns of a conversation only our own
// lines tell.
std::optional<std::string> TextOfTurn(const Case& the_case, const Cell& cell, const RequestTag& tag) {
  const Transcript& transcript = cell.record.transcript;
  if (tag.is_final_turn && transcript.history.empty()) return transcript.answer;
  std::size_t generated = 0;
  std::size_t place = 0;
  for (const Turn& turn : the_case.turns) {
    if (turn.kind == TurnKind::kGenerate && generated++ == tag.turn) break;
    ++place;
  }
  const bool has_system = !transcript.history.empty() && transcript.history.front().role == Role::kSystem;
  const bool own_system = !the_case.turns.empty() && the_case.turns.front().role == Role::kSystem;
  place += has_system && !own_system ? 1 : 0;
  if (place >= transcript.history.size() || transcript.history[place].role != Role::kAssistant)
    return std::nullopt;
  return transcript.history[place].text;
}

// What the first user's turn says: of the questions of a suite it tells which one was asked.
std::string FirstWords(const Case& the_case) {
  for (const Turn& turn : the_case.turns) {
    if (turn.role == Role::kUser) return turn.text;
  }
  return {};
}

// Why a question has no answer in the file, by model and first words.
using Failures = std::map<std::pair<std::string, std::string>, Error>;

Failures FailuresOf(const Suite& suite, const RecordedAnswers& answers) {
  Failures failures;
  for (CaseIndex i = 0; i < answers.of.size(); ++i) {
    for (VariantIndex v = 0; v < answers.of[i].size(); ++v) {
      for (const Cell* cell : answers.of[i][v]) {
        const Transcript& said = cell->record.transcript;
        if (said.error.empty()) continue;
        failures.emplace(std::pair(suite.variants[v].model, FirstWords(suite.cases[i])),
                         Error{ErrorCodeOf(said.error_class).value_or(ErrorCode::kNotFound), said.error});
      }
    }
  }
  return failures;
}

// The file's own error for a request that it has no answer to.
std::optional<Error> FindFailure(const Failures& failures, const ModelRequest& request) {
  const auto asked = std::find_if(request.messages.begin(), request.messages.end(),
                                  [](const Message& message) { return message.role == Role::kUser; });
  if (asked == request.messages.end()) return std::nullopt;
  const auto found = failures.find(std::pair(request.model, asked->text));
  return found == failures.end() ? std::nullopt : std::optional<Error>(found->second);
}

std::string SourceHash(const ImportedRun& run) {
  Sha256 hash;
  for (const Cell& cell : run.cells) {
    const std::string& answer = cell.record.transcript.answer;
    hash.Update(fmt::format("{} {} {} {}:", cell.case_index, cell.variant, cell.attempt, answer.size()));
    hash.Update(answer);
  }
  return HexPrefix(hash.Finish(), kSourceHexDigits);
}

std::vector<Variant> VariantsOfFile(const Suite& file) {
  std::vector<Variant> variants;
  for (const Variant& each : file.variants) {
    Variant& variant = variants.emplace_back();
    variant.id = each.id;
    variant.model_id = each.model_id;
    variant.provider = "replay";
    variant.model = each.model_id;
  }
  return variants;
}

// What users say in a case; of system prompts a file may tell those of variants.
std::string UserWords(const Case& the_case) {
  std::string text;
  for (const Turn& turn : the_case.turns) {
    if (turn.role == Role::kUser) text += turn.text + "";
  }
  return text;
}

// The cases that the file tells to be others than the suite's of their id.
std::vector<ChangedCase> ChangedSinceAnswered(const Suite& suite, const ImportedRun& run,
                                              const std::vector<std::optional<CaseIndex>>& cases) {
  std::vector<ChangedCase> changed;
  for (CaseIndex i = 0; i < suite.cases.size(); ++i) {
    const bool is_told = cases[i] && *cases[i] < run.digests.size() && !run.digests[*cases[i]].empty();
    const Case& now = suite.cases[i];
    if (!is_told || run.digests[*cases[i]] == CaseDigest(now)) continue;
    const bool is_question = UserWords(now) != UserWords(run.suite.cases[*cases[i]]);
    changed.push_back({.what = is_question ? ChangedCase::What::kQuestion : ChangedCase::What::kExpected,
                       .id = now.id,
                       .where = PlaceOfCase(now)});
  }
  return changed;
}

void WarnOfChanged(const std::string& path, std::vector<ChangedCase> changed, const SourceFiles& sources,
                   Diagnostics& diagnostics) {
  const auto asks_other = [](const ChangedCase& each) { return each.what == ChangedCase::What::kQuestion; };
  const auto rest = std::stable_partition(changed.begin(), changed.end(), asks_other);
  const std::vector<ChangedCase> others(rest, changed.end());
  changed.erase(rest, changed.end());
  if (!changed.empty()) {
    diagnostics.Warning("grade.other-question",
                        fmt::format("{} has answers to questions that have changed: {}", Quoted(path),
                                    ListOfChanged(changed, sources)),
                        changed.front().where, "run the suite: it asks what has changed and nothing else");
  }
  if (!others.empty()) {
    diagnostics.Note(
        "grade.other-criteria",
        fmt::format("what {} was graded by has changed: {}", Quoted(path), ListOfChanged(others, sources)),
        others.front().where, "their answers are graded by what is expected now");
  }
}

// Which variants a case asks, and how often: as many answers as there are.
void AskWhatIsThere(const std::vector<Attempts>& of_case, Case& the_case) {
  std::size_t most = 0;
  std::vector<VariantIndex> asked;
  for (VariantIndex v = 0; v < of_case.size(); ++v) {
    if (of_case[v].empty()) continue;
    asked.push_back(v);
    most = std::max(most, of_case[v].size());
  }
  the_case.attempts = static_cast<AttemptIndex>(std::min<std::size_t>(most, limits::kAttemptsMax));
  the_case.variants = asked.size() == of_case.size() ? std::vector<VariantIndex>() : std::move(asked);
}

}  // namespace

Result<std::shared_ptr<const ImportedRun>> RunOfFile(const std::string& name,
                                                     const std::vector<std::string>& allowed_paths,
                                                     std::string_view part) {
  std::error_code problem;
  if (std::filesystem::is_directory(name, problem)) {
    DiskFileReader disk;
    std::vector<std::string> roots = allowed_paths;
    roots.push_back(name);
    ScopedFileReader files(disk, roots);
    const std::vector<std::string> rows = ResearchRowFiles(files, name);
    if (!rows.empty()) return ReadResearchFolder(files, name, rows);
    if (!name.ends_with('/') && !files.Exists(name + "/params.yaml"))
      return std::shared_ptr<const ImportedRun>();
    return ReadAnswersFolder(files, name);
  }
  if (!std::filesystem::is_regular_file(name, problem)) return std::shared_ptr<const ImportedRun>();
  ASSAY_TRY(std::unique_ptr<const ByteSource> bytes, OpenFileSource(name, limits::kImportedFileBytesMax));
  return ImportRun(SharedBytes(std::move(bytes)), {.name = name, .part = part});
}

FilePart FilePartOf(const std::string& name) {
  std::error_code problem;
  if (std::filesystem::exists(name, problem)) return {.file = name, .part = {}};
  for (std::size_t at = name.find('#'); at != std::string::npos; at = name.find('#', at + 1)) {
    std::string file = name.substr(0, at);
    if (std::filesystem::is_regular_file(file, problem))
      return {.file = std::move(file), .part = name.substr(at + 1)};
  }
  return {.file = name, .part = {}};
}

Result<std::shared_ptr<const ImportedRun>> RunOfFilePart(const std::string& name,
                                                         const std::vector<std::string>& allowed_paths) {
  const FilePart named = FilePartOf(name);
  ASSAY_TRY(std::shared_ptr<const ImportedRun> run, RunOfFile(named.file, allowed_paths, named.part));
  if (run == nullptr || named.part.empty() || run->is_part) return run;
  if (run->parts.empty()) {
    return Error{ErrorCode::kNotFound, fmt::format("{} has no parts to choose from: name the file without {}",
                                                   Quoted(named.file), Quoted("#" + named.part))};
  }
  return Error{ErrorCode::kNotFound,
               fmt::format("{} has no part {}; it has {}", Quoted(named.file), Quoted(named.part),
                           Printable(fmt::format("{}", fmt::join(run->parts, ", "))))};
}

Recording AnswersFor(Suite& suite, std::shared_ptr<const ImportedRun> run, const std::string& path,
                     bool is_whole, const SourceFiles& sources, Diagnostics& diagnostics) {
  const auto answers = std::make_shared<RecordedAnswers>();
  const std::vector<std::optional<CaseIndex>> cases = CasesOfFile(suite, run->suite);
  std::vector<std::vector<Attempts>> of_file(run->suite.cases.size(),
                                             std::vector<Attempts>(run->suite.variants.size()));
  for (const Cell& cell : run->cells) of_file[cell.case_index][cell.variant].push_back(&cell);
  suite.variants = VariantsOfFile(run->suite);
  suite.attempts = 1;
  std::size_t without = 0;
  for (CaseIndex i = 0; i < suite.cases.size(); ++i) {
    answers->of.push_back(cases[i] ? of_file[*cases[i]] : std::vector<Attempts>(suite.variants.size()));
    AskWhatIsThere(answers->of.back(), suite.cases[i]);
    suite.attempts = std::max(suite.attempts, *suite.cases[i].attempts);
    without += cases[i] ? 0 : 1;
  }
  if (without > 0) {
    diagnostics.Warning("grade.no-answers",
                        fmt::format("{} has no answers to {} of the {} cases of the suite", Quoted(path),
                                    without, suite.cases.size()),
                        suite.span, "cases are found by their ids, else by their questions");
  }
  if (is_whole) WarnOfUnlisted(path, StrangersIn(run->suite, cases), suite, "grade.unlisted", diagnostics);
  WarnOfChanged(path, ChangedSinceAnswered(suite, *run, cases), sources, diagnostics);
  Recording recording;
  recording.source = "responses:" + SourceHash(*run);
  recording.path = path;
  recording.strict = true;
  recording.only = RequestRole::kCandidate;
  const auto failures = std::make_shared<const Failures>(FailuresOf(suite, *answers));
  recording.find_failure = [failures](const ModelRequest& request) {
    return FindFailure(*failures, request);
  };
  answers->run = std::move(run);
  recording.find = [answers](const Suite& asked, const ModelRequest&,
                             const RequestTag& tag) -> std::optional<ModelReply> {
    const Attempts& attempts = answers->of[tag.case_index][tag.variant];
    if (tag.attempt >= attempts.size() || !HasAnswer(*attempts[tag.attempt])) return std::nullopt;
    std::optional<std::string> text = TextOfTurn(asked.cases[tag.case_index], *attempts[tag.attempt], tag);
    if (!text) return std::nullopt;
    ModelReply reply;
    reply.text = *std::move(text);
    reply.finish_reason = "stop";
    return reply;
  };
  return recording;
}

}  // namespace assay
