// ModelFacts: what is known of a model before it is asked: which parameters it takes, how it thinks, how long
// it answers, and what it costs. Facts have a day and a source (models.toml, prices.toml); assay.toml can add
// to them and correct them. What is not known here a service's own refusal tells (adapt.h).
//
// Nothing of this enters a key.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "providers/facts/price.h"
#include "spec/suite/media.h"
#include "spec/suite/model_ref.h"

namespace assay {

// The day of a table, and where its facts are from.
struct TableOrigin {
  std::string_view as_of;
  std::string_view source;
};
const TableOrigin& OriginOfModels();
const TableOrigin& OriginOfPrices();

// Which parameters of sampling a model takes.
struct Sampling {
  bool temperature = true;
  bool top_p = true;
  bool top_k = true;
  bool not_both = false;    // temperature or top_p, not both in one request
  bool only_still = false;  // only in requests that do not ask it to think
};

// Whether a model thinks before it answers: never as far as is known, where it is asked to, unless it is told
// not to, or whatever it is told.
enum class Thinking { kNo, kOnRequest, kByDefault, kAlways };

// How a request says how much a model shall think.
enum class EffortForm {
  kNone,             // it cannot be said, or it is not known how
  kReasoningEffort,  // chat protocol and Responses: one of `efforts`
  kOutputConfig,     // Anthropic: output_config.effort, with thinking of the type "adaptive"
  kBudgetTokens,     // Anthropic: thinking of the type "enabled" with budget_tokens
  kThinkingLevel,    // Google: thinkingConfig.thinkingLevel
  kThinkingBudget,   // Google: thinkingConfig.thinkingBudget
};

// Which parts of messages a model takes beside text; absent: not known.
std::optional<MediaKinds> FindMediaTaken(std::string_view provider, std::string_view model);
// Whether a model can be held to a JSON Schema of its answer; absent: not known.
std::optional<bool> FindSchemaTaken(std::string_view provider, std::string_view model);

// What a tier of a service (its word: "flex") takes of the list price; 1 if nobody says.
double TierFactor(std::string_view provider, std::string_view tier);
// What input that is kept for an hour costs, times the price of input; 0 if nobody sells that.
double HourWriteFactor(std::string_view provider);
// What one call of a service's own tool costs, in billionths of a US dollar; 0 if nobody says.
std::int64_t ToolNanoUsd(std::string_view provider, std::string_view tool);

struct ModelFacts {
  Sampling sampling = {};
  Thinking thinking = Thinking::kNo;
  // Tokens that thoughts may take of a reply beside the answer, where nobody sets a limit; 0: none need be
  // added. Only of models that think without being asked.
  std::int64_t thinking_room = 0;
  EffortForm effort = EffortForm::kNone;
  std::string_view efforts = {};  // words, blanks between, least first; "": not known
  std::int64_t output_max = 0;    // tokens of one reply, thoughts included; 0: not known
  bool responses_only = false;    // the chat protocol does not lead to it, only the Responses interface does
  bool keeps_think_tags = false;  // <think>…</think> at the start of an answer is the answer's own
  // The least beginning of a prompt that the service keeps where it is marked; 0: it takes no marks.
  std::int64_t cache_min_tokens = 0;
  std::optional<Price> price = {};
  std::optional<MediaKinds> takes = {};   // beside text; absent: not known
  std::optional<bool> takes_schema = {};  // of its answer; absent: not known

  bool ThinksUnasked() const { return thinking == Thinking::kByDefault || thinking == Thinking::kAlways; }
};

struct ModelRow {
  std::string_view provider;
  std::string_view model;  // an id, or the start of ids, ended by '*'
  ModelFacts facts;
};
std::span<const ModelRow> ModelTable();
std::span<const ModelRow> ModelRowsOf(std::string_view provider);

// Whether a name is the pattern, or starts as a pattern does that ends with '*'.
bool FitsName(std::string_view pattern, std::string_view name);
// Whether `a` says more of a name that both fit: it is longer, or as long and the whole name.
bool IsNarrower(std::string_view a, std::string_view b);

// What the table says of a model: the narrowest row that fits. Models that a broker names by vendor
// ("openrouter:anthropic/claude-…") are what the vendor's are, and are asked by the chat protocol; a variant
// of the broker's (":free") has no known price. Nothing if no row fits.
std::optional<ModelFacts> FindModelFacts(std::string_view provider, std::string_view model);

// The last day of a model, as its maker names it.
struct Retirement {
  std::string_view on;         // "2027-01-14"
  std::string_view successor;  // whom the maker recommends; "": nobody
  std::string_view source;     // where it says so
};
// Of whom the maker itself answers for, and of models that a broker passes on to it; clouds have dates of
// their own. Nothing: no day is known.
std::optional<Retirement> FindRetirement(std::string_view provider, std::string_view model);
std::optional<Retirement> FindMakersRetirement(std::string_view provider, std::string_view model);

// What an alias stands for: "claude-opus-4-0" for "claude-opus-4-20250514"; "": the name is no alias.
std::string_view AliasOf(std::string_view provider, std::string_view model);

using OwnShares = std::map<std::string, double, std::less<>>;

// What the user says of "provider:model", or of all ids that start so, ended by '*': what is absent, the
// table says.
struct OwnFacts {
  std::string model;
  std::optional<bool> temperature = {};
  std::optional<bool> top_p = {};
  std::optional<bool> top_k = {};
  std::optional<std::int64_t> output_max = {};
  std::optional<std::int64_t> thinking_room = {};
  std::optional<EffortForm> effort = {};
  std::optional<bool> responses_only = {};
  std::optional<bool> keeps_think_tags = {};
  std::optional<Price> price = {};
  std::optional<MediaKinds> takes = {};
  std::optional<bool> takes_schema = {};
  OwnShares tiers = {};      // of the list price, by the service's word for the tier
  OwnShares tools_usd = {};  // US dollars for a call of a tool of the service's own
};

// The user's own facts before the table's, each by itself; among the user's own the narrowest that fits.
class ModelBook {
 public:
  ModelBook() = default;
  explicit ModelBook(std::vector<OwnFacts> own) : own_(std::move(own)) {}

  // From now on its facts are at hand: a run asks for those of its few models at every call.
  void Remember(std::string_view provider, std::string_view model);

  // Nothing where neither the table nor the user says anything of the model.
  std::optional<ModelFacts> Find(std::string_view provider, std::string_view model) const;
  // The same of whom a call asks: a model that a suite describes is what its family's model of that name is.
  std::optional<ModelFacts> FactsOf(const ModelRef& ref) const;
  std::optional<Price> PriceOf(std::string_view provider, std::string_view model) const;
  // What the user says of a model on top of `facts`.
  std::optional<ModelFacts> WithOwn(std::optional<ModelFacts> facts, std::string_view provider,
                                    std::string_view model) const;
  // As the functions of these names, for one model.
  double TierFactor(std::string_view provider, std::string_view model, std::string_view tier) const;
  std::int64_t ToolNanoUsd(const ToolUse& use, std::string_view provider, std::string_view model) const;
  // All of a model, the user's among them, in the order of their names.
  OwnShares TiersOf(std::string_view provider, std::string_view model) const;
  OwnShares ToolsOf(std::string_view provider, std::string_view model) const;
  // Prices the service's own tools in what a reply of the model used, where the user has prices of them.
  void PriceTools(std::string_view provider, std::string_view model, Usage& usage) const;

  const std::vector<OwnFacts>& own() const { return own_; }

 private:
  struct Remembered {
    std::string provider;
    std::string model;
    std::optional<ModelFacts> facts;
  };
  const Remembered* FindRemembered(std::string_view provider, std::string_view model) const;
  std::vector<const OwnFacts*> Fitting(std::string_view provider, std::string_view model) const;
  OwnShares Shares(OwnShares OwnFacts::*shares, std::string_view provider, std::string_view model) const;
  std::vector<OwnFacts> own_;
  std::vector<Remembered> remembered_;  // of few models: they are looked through one by one
};

}  // namespace assay
