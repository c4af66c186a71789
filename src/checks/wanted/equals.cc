// Grades `$equals`, `$iequals`, `$fuzzy_match`, `$squad_exact` and `$squad_f1`: the whole answer against
// wanted texts. Pure; any thread.
//   equals      a text, number, list of them, or {text | any_of, ignore, drop, trim}; 1 if one of them is the
//               answer, after both have lost what the rules ignore (text/prose/normal.h)
//   fuzzy_match text(s); 1 if the answer contains one or one contains the answer, by SQuAD's rules; an empty
//               one of the two matches an empty one only
//   squad_exact text(s), [] for no answer; 1 if one is the answer by SQuAD's rules
//   squad_f1    the same; the best share of words in common, 2c / (answer + wanted)
//   source      lm-eval's exact_match, OpenAI Evals' fuzzy_match, SQuAD 2.0's evaluation; known deviations:
//               patterns are JavaScript's
#include <algorithm>

#include "checks/graders.h"
#include "checks/wanted/arguments.h"

namespace assay {
namespace {

using WordList = std::vector<std::string>;

struct EqualTexts {
  std::vector<std::string> wanted;  // in their normal forms
  NormalRules rules;
  bool is_turned_around = false;
};

// The words of a text, each once with its number, in their order.
struct CountedWords {
  WordList words;
  std::vector<std::size_t> counts;
  std::size_t all = 0;
};

struct SquadTexts {
  std::vector<std::string> wanted;  // in their normal forms
  std::vector<CountedWords> words;  // of each
};

CountedWords CountWords(std::string_view text) {
  std::vector<std::string_view> words = BlankWords(text);
  std::sort(words.begin(), words.end());
  CountedWords counted{.words = {}, .counts = {}, .all = words.size()};
  for (const std::string_view word : words) {
    if (counted.words.empty() || counted.words.back() != word) {
      counted.words.emplace_back(word);
      counted.counts.push_back(0);
    }
    ++counted.counts.back();
  }
  return counted;
}

Result<EqualTexts> ReadEqualTexts(const ParseInput& input, NormalRules rules) {
  const Value& args = input.check.args;
  EqualTexts texts{.wanted = {}, .rules = std::move(rules), .is_turned_around = IsTurnedAround(input.check)};
  const Value* wanted = &args;
  if (args.is_map()) {
    ASSAY_CHECK_OK(OnlyMembers(args, {"text", "any_of", "ignore", "drop", "trim"}));
    const bool is_one = args.Find("text") != nullptr;
    wanted = args.Find(is_one ? "text" : "any_of");
    if (wanted == nullptr || (is_one && args.Find("any_of") != nullptr))
      return BadMember("a text, or any_of: a list of texts", args, "text");
    const bool is_lower = texts.rules.lower;
    ASSAY_TRY(texts.rules, ReadNormalRules(args, std::move(texts.rules)));
    texts.rules.lower = texts.rules.lower || is_lower;
  }
  ASSAY_TRY(const std::vector<std::string> written, WrittenTexts(*wanted));
  for (const std::string& text : written) {
    ASSAY_TRY(std::string normal, NormalForm(text, texts.rules));
    texts.wanted.push_back(std::move(normal));
  }
  return texts;
}

Result<SquadTexts> ReadSquadTexts(const ParseInput& input, Emptiness emptiness) {
  ASSAY_TRY(std::vector<std::string> written, WrittenTexts(input.check.args, emptiness));
  if (written.empty()) written.emplace_back();
  SquadTexts texts;
  for (const std::string& text : written) {
    texts.wanted.push_back(PlainForm(text, SquadRules()));
    texts.words.push_back(CountWords(texts.wanted.back()));
  }
  return texts;
}

Result<bool> MatchesOne(std::string_view answer, const EqualTexts& texts) {
  ASSAY_TRY(const std::string normal, NormalForm(answer, texts.rules));
  return std::find(texts.wanted.begin(), texts.wanted.end(), normal) != texts.wanted.end();
}

Score GradeTexts(const GradeInput& input, const EqualTexts& texts, WorkerState&) {
  return YesOrNo(MatchesOne(input.answer.text(), texts), texts.is_turned_around);
}

Score GradeFuzzily(const GradeInput& input, const SquadTexts& texts, WorkerState&) {
  const std::string answer = PlainForm(input.answer.text(), SquadRules());
  const auto is_near = [&answer](const std::string& wanted) {
    if (answer.empty() || wanted.empty()) return answer == wanted;
    return answer.find(wanted) != std::string::npos || wanted.find(answer) != std::string::npos;
  };
  return Score::Of(std::any_of(texts.wanted.begin(), texts.wanted.end(), is_near) ? 1 : 0);
}

Score GradeExactly(const GradeInput& input, const SquadTexts& texts, WorkerState&) {
  const std::string answer = PlainForm(input.answer.text(), SquadRules());
  return Score::Of(std::find(texts.wanted.begin(), texts.wanted.end(), answer) != texts.wanted.end() ? 1 : 0);
}

// Each word of the answer takes one of its kind from the wanted ones.
double WordShare(const std::vector<std::string_view>& answer, const CountedWords& wanted) {
  if (answer.empty() || wanted.all == 0) return answer.empty() && wanted.all == 0 ? 1 : 0;
  std::vector<std::size_t> left = wanted.counts;
  std::size_t common = 0;
  for (const std::string_view word : answer) {
    const auto found = std::lower_bound(wanted.words.begin(), wanted.words.end(), word);
    if (found == wanted.words.end() || *found != word) continue;
    std::size_t& count = left[static_cast<std::size_t>(found - wanted.words.begin())];
    if (count == 0) continue;
    --count;
    ++common;
  }
  return 2 * static_cast<double>(common) / static_cast<double>(answer.size() + wanted.all);
}

Score GradeByWords(const GradeInput& input, const SquadTexts& texts, WorkerState&) {
  const std::string normal = PlainForm(input.answer.text(), SquadRules());
  const std::vector<std::string_view> answer = BlankWords(normal);
  double best = 0;
  for (const CountedWords& wanted : texts.words) best = std::max(best, WordShare(answer, wanted));
  return Score::Of(best);
}

}  // namespace

CheckArgs ParseEquals(const ParseInput& input, Diagnostics& diagnostics) {
  return ArgsOf(input, ReadEqualTexts(input, {}), diagnostics);
}
CheckArgs ParseIequals(const ParseInput& input, Diagnostics& diagnostics) {
  return ArgsOf(input, ReadEqualTexts(input, {.lower = true}), diagnostics);
}
Score GradeEquals(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<EqualTexts, GradeTexts>(input, args, worker);
}

CheckArgs ParseFuzzyMatch(const ParseInput& input, Diagnostics& diagnostics) {
  return ArgsOf(input, ReadSquadTexts(input, Emptiness::kRefused), diagnostics);
}
Score GradeFuzzyMatch(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<SquadTexts, GradeFuzzily>(input, args, worker);
}

CheckArgs ParseSquad(const ParseInput& input, Diagnostics& diagnostics) {
  return ArgsOf(input, ReadSquadTexts(input, Emptiness::kAllowed), diagnostics);
}
Score GradeSquadExact(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<SquadTexts, GradeExactly>(input, args, worker);
}
Score GradeSquadF1(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<SquadTexts, GradeByWords>(input, args, worker);
}

}  // namespace assay
