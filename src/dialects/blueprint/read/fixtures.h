// Fixtures: recorded replies written by hand (spec: blueprint 22), and our own addition, recorded judges.
//
//   version: 1
//   strategy: seeded              # seeded (default) | round-robin | first: which of several replies is taken
//   seed: 7
//   responses:
//     PROMPT:
//       default: a reply          # or a list of replies, or {turns: [...], final: ...}
//       byModel:
//         openai:gpt-4o[temp:0.5]: a reply   # exact id with suffixes (ours),
//         openai:gpt-4o: a reply  # else without them, else the first "prefix*" that fits
//         "anthropic:*": [one, another]
//   judges:                       # ours
//     PROMPT:                     # or "*" for any prompt
//       the criterion's text:     # or "*" for any criterion
//         class: MAJOR            # a step of the judges' scale; `reflection` may stand beside it
//         reflection: why
// Instead of {class, reflection} a criterion may hold
//   a text                        the judge's reply as it came
//   {JUDGE: reply, ...}           by judge: model id, "prefix*", or "backup" for the backup judge alone
//   {byModel: {MODEL: reply}, default: reply}   by the model that is judged; `reply` is any of the above
//
// weval serves `turns` to the turns that are written as `assistant: null` and never to the one after the last
// user message, and a plain reply to that one only if nothing was generated before it. Otherwise, outside of
// its mode: the last turn takes `final`, else the next of `turns`; a plain reply is the last turn's;
// round-robin goes by attempt.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "spec/exchange/request.h"
#include "spec/suite/suite_rules.h"
#include "text/value.h"

namespace assay::blueprint {

// Whose reply is looked for.
struct FixtureKey {
  std::string_view prompt_id;
  std::string_view model_id;    // without suffixes
  std::string_view variant_id;  // with them
  std::string_view run_label;
  AttemptIndex attempt = 0;
};

// What a prompt's entry holds for a model.
struct FixturePick {
  std::optional<std::string> final_text;
  std::vector<std::string> turns;
};

struct JudgeFixtureKey {
  std::string_view prompt_id;
  std::string_view criterion;
  std::string_view model_id;    // the judged model, without suffixes
  std::string_view variant_id;  // with them
  std::string_view judge_model;
  bool is_backup = false;
};

// A fixtures file, looked up in constant time per prompt. Immutable; any thread.
class FixtureBook {
 public:
  explicit FixtureBook(Value fixtures);
  FixtureBook(const FixtureBook&) = delete;
  FixtureBook& operator=(const FixtureBook&) = delete;

  // Nothing if the prompt has no usable entry.
  std::optional<FixturePick> Pick(const FixtureKey& key, Compat compat) const;
  // The reply of a judge, or nothing if none is recorded.
  std::optional<std::string> PickJudgeReply(const JudgeFixtureKey& key) const;
  // What a model would say that extracts the recorded key points of a prompt, or nothing.
  std::optional<std::string> PickKeyPoints(std::string_view prompt_id) const;

 private:
  std::size_t ChosenIndex(std::size_t count, const FixtureKey& key, Compat compat) const;

  Value fixtures_;
  std::string strategy_;
  std::string seed_;
  // By prompt id; the values are parts of fixtures_.
  std::unordered_map<std::string_view, const Value*> responses_;
  std::unordered_map<std::string_view, const Value*> judges_;
};

// 32-bit FNV-1a whose XOR takes whole UTF-16 units.
std::uint32_t FixtureHash(std::string_view text);

}  // namespace assay::blueprint
