// The table of pages, and the reading of their rows.
#include "cli/documents/topics.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text/ascii.h"
#include "cli/embedded.h"

namespace assay {

namespace {

constexpr Topic kTopics[] = {
    {"faq", "short answers: keys, cost, privacy, judges, ranks"},
    {"tutorials/policy-expert", "ten minutes: compare models on questions of your field"},
    {"tutorials/agent-developer", "ten minutes: test an agent of your own, and in CI"},
    {"tutorials/researcher", "ten minutes: grade a model with InfiBench"},
    {"blueprint", "how to write a blueprint, from five lines on"},
    {"datasets", "a suite over a table: CSV, JSON Lines, templates, samples"},
    {"promptfoo", "promptfoo's configs, run as they are"},
    {"formats-of-others", "files of OpenAI Evals and lm-evaluation-harness, run as they are"},
    {"cli", "every command and option, exit codes, settings, the JSON that scripts read"},
    {"errors", "what each error means and what to do"},
    {"reference/options", "every option, its commands and its environment variable"},
    {"reference/checks", "every check with an example"},
    {"reference/providers", "every provider with its key and address"},
    {"reference/exporters", "every format that assay writes and reads"},
    {"reference/json", "every field of the JSON output, by command"},
    {"reference/keys", "every key of the formats"},
    {"judging", "what judges do, and how far to trust them"},
    {"judging-security", "what counts as a verdict, and which forged ones are known"},
    {"providers", "services, models and programs of your own"},
    {"caching", "what is stored, when a request is sent again, keys of the cache"},
    {"limits", "how fast, how many, how long"},
    {"cluster", "one run on many machines, one store for a team"},
    {"cost", "what a run costs, before it starts"},
    {"statistics", "what the numbers mean, comparing runs, gates"},
    {"until", "stop when it is decided: questions, promises, what a stopped run shows"},
    {"infibench", "InfiBench suites: grading, comparing, files"},
    {"authoring-infibench", "how to write InfiBench cases"},
    {"unit-tests", "programs that answers make, and their tests"},
    {"sandbox", "what holds the programs that answers make"},
    {"research", "any program evaluated over documents and questions"},
    {"formats/assay-exec", "what assay and a program under test say to each other"},
    {"exports", "runs in the formats of other tools, and files of theirs"},
    {"ci", "GitHub Actions, GitLab, a plain shell; how jobs keep their store"},
    {"editors", "completion in editors and shells, starters"},
    {"trust", "who is trusted with what"},
    {"coming-from/weval", "the same evaluation in Weval and in assay"},
    {"coming-from/promptfoo", "the same evaluation in promptfoo and in assay"},
    {"coming-from/inspect", "the same evaluation in Inspect and in assay"},
    {"coming-from/lm-eval", "the same evaluation in lm-evaluation-harness and in assay"},
    {"coming-from/infibench", "the same evaluation in InfiBench and in assay"},
    {"coming-from/asky", "the same evaluation in asky and in assay"},
    {"glossary", "the words"},
    {"testing", "what testing assay costs, for its developers"},
    {"compatibility", "what stays as it is from version to version, and where it runs"},
};

std::string Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(' ') + 1 - begin));
}

// "| a | b |" -> {"a", "b"}; a bar behind a backslash is text. Empty for a line that is no row.
std::vector<std::string> CellsOf(std::string_view line) {
  std::vector<std::string> cells;
  if (!line.starts_with("| ")) return cells;
  std::string cell;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const bool is_escaped = line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|';
    if (is_escaped) {
      cell += line[++i];
    } else if (line[i] == '|') {
      cells.push_back(Trimmed(cell));
      cell.clear();
    } else {
      cell += line[i];
    }
  }
  return cells;
}

// What stands between backquotes.
std::vector<std::string> CodesOf(std::string_view cell) {
  std::vector<std::string> codes;
  while (true) {
    const std::size_t begin = cell.find('`');
    const std::size_t end = begin == std::string_view::npos ? begin : cell.find('`', begin + 1);
    if (end == std::string_view::npos) return codes;
    codes.emplace_back(cell.substr(begin + 1, end - begin - 1));
    cell.remove_prefix(end + 1);
  }
}

template <class Visit>
void ForEachLine(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

bool IsNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::span<const Topic> TopicTable() { return kTopics; }

const Topic* FindTopic(std::string_view name) {
  if (name.starts_with("docs/")) name.remove_prefix(5);
  if (name.ends_with(".md")) name.remove_suffix(3);
  const auto* found = std::find_if(std::begin(kTopics), std::end(kTopics),
                                   [name](const Topic& topic) { return topic.name == name; });
  if (found != std::end(kTopics)) return found;
  // "weval" for coming-from/weval
  found = std::find_if(std::begin(kTopics), std::end(kTopics), [name](const Topic& topic) {
    const std::size_t slash = topic.name.rfind('/');
    return slash != std::string_view::npos && topic.name.substr(slash + 1) == name;
  });
  return found == std::end(kTopics) ? nullptr : found;
}

std::vector<FoundHeading> FindHeadings(std::string_view word, std::size_t most) {
  const std::string wanted = AsciiLower(word);
  std::vector<FoundHeading> found;
  for (const Topic& topic : kTopics) {
    bool is_code = false;
    ForEachLine(TextOf(topic), [&](std::string_view line) {
      if (line.starts_with("```")) is_code = !is_code;
      const std::size_t text = line.starts_with('#') ? line.find_first_not_of("# ") : std::string_view::npos;
      if (is_code || text == std::string_view::npos || found.size() == most) return;
      if (AsciiLower(line).find(wanted) != std::string::npos)
        found.push_back({.heading = std::string(line.substr(text)), .topic = topic.name});
    });
  }
  return found;
}

std::string TextOf(const Topic& topic) { return LargeFile(fmt::format("docs/{}.md", topic.name)); }

std::vector<ErrorMeaning> ErrorMeanings() {
  std::vector<ErrorMeaning> meanings;
  ForEachLine(LargeFile("docs/errors.md"), [&](std::string_view line) {
    const std::vector<std::string> cells = CellsOf(line);
    if (cells.size() != 3) return;
    for (std::string& code : CodesOf(cells[0]))
      meanings.push_back({.code = std::move(code), .means = cells[1], .remedy = cells[2], .topic = "errors"});
  });
  ForEachLine(LargeFile("docs/cli.md"), [&](std::string_view line) {
    const std::vector<std::string> cells = CellsOf(line);
    if (cells.size() == 2 && IsNumber(cells[0]))
      meanings.push_back({.code = cells[0], .means = cells[1], .remedy = {}, .topic = "cli"});
  });
  return meanings;
}

}  // namespace assay
