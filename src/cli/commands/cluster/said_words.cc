// Goes through the options that were given.
#include "cli/commands/cluster/said_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "base/text/option_text.h"
#include "base/text/shell_words.h"
#include "store/location.h"

namespace assay {

namespace {

// What a shard, the report or an engine is told in another way.
constexpr std::string_view kOfParts[] = {
    "--shards", "--shard", "--join",  "--fold", "--cluster", "--cluster-arg", "--cluster-setup", "--dry-run",
    "--wait",   "--trust", "--store", "--port", "--matrix",  "--json",        "--progress"};

}  // namespace

std::vector<std::string> SaidWords(const Options& options) {
  std::vector<std::string> words = {"run"};
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  words.push_back("--store=" + ShownLocation(options.granted.store));
  for (const GivenOption& given : options.given) {
    const bool is_of_all =
        std::find(std::begin(kOfParts), std::end(kOfParts), given.name) == std::end(kOfParts);
    if (given.is_setting || !is_of_all) continue;
    const auto rows = OptionTable();
    const bool is_switch = std::any_of(rows.begin(), rows.end(), [&given](const OptionRow& row) {
      return row.LongName() == given.name && row.TakenBy("run") && row.value.empty();
    });
    for (const std::string& value : given.values) {
      const Result<bool> on = is_switch ? ParseSwitch(value) : Result<bool>(false);
      words.push_back(is_switch ? fmt::format("{}{}", given.name, on && *on ? "" : "=false")
                                : fmt::format("{}={}", given.name, value));
    }
  }
  return words;
}

std::string LineOf(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += fmt::format("{}{}", line.empty() ? "" : " ", QuoteWord(word));
  return line;
}

}  // namespace assay
