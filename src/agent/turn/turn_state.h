// TurnState: what one turn of the research agent knows while it runs, and the functions by which its parts
// make requests. Local to a case: nothing outlives the turn, and all of it comes from the case's own
// exchanges.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/turn/walk.h"
#include "spec/suite/variant.h"
#include "spec/turn/turn_details.h"

namespace assay {

// How much of a model's context is used before something has to go, and about how long a token is.
inline constexpr double kContextShare = 0.8;
inline constexpr std::size_t kCharactersOfToken = 4;

// How long a message is, with the calls that it makes.
std::size_t CharactersOf(const Message& message);
// How many characters of a context are used before something has to go.
std::size_t CharactersOfContext(std::int64_t context_tokens);

struct SavedFinding {
  std::string text;
  std::string source_url;
  std::string source_title;
  std::vector<std::string> tags;
};

// A document of the case that can be read.
struct OpenDocument {
  std::string id;
  std::string handle;  // by which the model names it: "corpus://cache/1"
  std::string title;
  std::int64_t characters = 0;
  std::int64_t chunks = 0;
};

struct PageLink {
  std::string text;
  std::string href;  // a whole address
};

// A page of the web as it was read.
struct WebPage {
  std::string url;        // as it was asked for
  std::string final_url;  // where redirects led
  std::string title = {};
  std::string text = {};
  std::vector<PageLink> links = {};
  std::string problem = {};  // why it could not be read, in words for the model; "" if it could
};

// By the one form of their address.
using WebPages = std::map<std::string, std::shared_ptr<const WebPage>, std::less<>>;

// What it knows between two rounds.
struct TurnKnowledge {
  Walk walk;
  std::string query = {};  // as it was put together
  std::vector<OpenDocument> documents = {};
  WebPages pages = {};
  std::vector<SavedFinding> findings = {};
  std::vector<std::string> memories = {};
  Usage used_by_model = {};       // of replies of the variant's own model; estimates where they tell nothing
  Usage used_by_summarizer = {};  // likewise
  double usd = 0;                 // of all of them, as far as prices are known
};

struct TurnState : TurnKnowledge {
  TurnState(const StepContext& step, std::span<const Exchange> so_far)
      : TurnKnowledge{.walk = Walk(so_far)}, context(step) {}

  const StepContext& context;

  const Profile& profile() const { return *context.TheVariant().profile; }
  const Suite& suite() const { return context.suite; }
};

// Why the turn is to stop, of what its exchanges took and used, so that a replay stops at the same place;
// nothing if it may go on.
std::optional<std::string> LimitReached(const TurnState& turn);
RequestTag TagOf(const TurnState& turn, RequestRole role);
// What the case asks, without the words around it.
std::string QuestionOf(const TurnState& turn);
// Of the operation's answer: a map, or {error} where the documents could not be asked.
std::optional<Value> AskDocuments(TurnState& turn, std::string_view operation, Map arguments);
// A model's reply, calls or silence too; an Error where there is none. `make` gives messages, parameters and
// tools, and is called only if they are needed. Adds what the reply used to `used`.
using MakeModelRequest = std::function<ModelRequest()>;
std::optional<Result<ModelReply>> AskModel(TurnState& turn, const ModelRef& model, RequestRole role,
                                           const MakeModelRequest& make, Usage& used);
// {"error": message}, as tools tell models of their faults.
Value ToolError(std::string message);
// The argument's text without blanks at its ends; "" if it is no text.
std::string TextArgument(const Value& arguments, std::string_view name);
// Texts of a list, or of one text; each once, at most `most`.
std::vector<std::string> TextsArgument(const Value& arguments, std::string_view name, std::size_t most);
// A whole number, or a text that is one, within [least, most].
std::int64_t CountArgument(const Value& arguments, std::string_view name, std::int64_t usual,
                           std::int64_t least, std::int64_t most);

}  // namespace assay
