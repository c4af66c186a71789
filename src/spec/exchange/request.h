// Requests: everything that a step may ask of the world, and what comes back. The canonical form of a request
// is the content that its key addresses: nothing that cannot change the reply enters it.
#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/hash.h"
#include "base/rare.h"
#include "base/wire/wire.h"
#include "spec/exchange/case_briefing.h"
#include "spec/exchange/served_by.h"
#include "spec/ids.h"
#include "spec/report/profile.h"
#include "spec/suite/model_ref.h"
#include "spec/turn/message.h"
#include "text/value.h"

namespace assay {

// A tool that a model is offered.
struct ToolSpec {
  std::string name;
  std::string description;
  Value parameters;  // JSON Schema of its arguments
};

// ModelRequest::room of who sets no limit of tokens at all, and takes none from the provider.
inline constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

// One call of a chat model. `source` is empty for a live call; a recorded reply is asked for by naming its
// recording
// ("fixtures:sha256", "replay:sha256"), so that it is never mistaken for the model's own answer later.
struct ModelRequest : ModelRef {
  std::vector<Message> messages = {};
  SamplingParams params = {};
  AttemptIndex attempt = 0;
  std::uint32_t vote = 0;  // repeats of the same judge call
  std::string source = {};
  Value answer_schema = {};  // Case::answer_schema
  // The limit of tokens that is sent where nobody wrote one, for a model that thinks before it answers; 0:
  // the parameters' own, or the provider's; kNoLimit: none is sent where the service allows it. No part of
  // the key: see Exchange::room.
  std::int64_t room = 0;
  // How many of the first messages other calls of the run repeat, ascending: for services that keep such
  // beginnings in a cache where they are told to. No part of the key.
  std::vector<std::uint32_t> repeated = {};
  // What a system under test is set up with; absent: the bare model is asked.
  std::optional<Profile> profile = {};
  // SHA-256 of what the reply may depend on beside the words: documents, files that a command line names.
  std::vector<std::string> inputs = {};
  std::vector<ToolSpec> tools = {};  // that the model may call
  std::string tool_choice = {};      // "auto", "none", "required"; "": the service's own
  // What a program under test is told of its case; null: nothing. No part of the key, as what decides an
  // answer is the messages and `inputs`.
  std::shared_ptr<const CaseBriefing> briefing = {};
};

struct EmbedRequest : ModelRef {
  std::vector<std::string> texts;
  std::string source;
};

// A question to the documents of the run. Answered here, by a worker, from the Corpus alone.
struct CorpusRequest {
  std::string operation;               // a row of corpus/ask/operations.cc: "relevant"
  Value arguments;                     // what the operation takes
  std::vector<std::string> documents;  // ids of those that it may see, in order
  // Hex of the Corpus that answers: whatever its answer depends on beside the question. Whoever runs the step
  // fills it in.
  std::string corpus = {};
};

using Request = std::variant<ModelRequest, EmbedRequest, HttpRequest, ProcessRequest, CorpusRequest>;

// Persisted: do not renumber.
enum class RequestKind { kModel = 0, kEmbed = 1, kHttp = 2, kProcess = 3, kCorpus = 4 };
RequestKind KindOf(const Request& request);

// Why a request is made: for pools, prices and recordings; never part of the key. Persisted: do not renumber.
enum class RequestRole {
  kCandidate = 0,
  kJudge = 1,
  kBackupJudge = 2,
  kExtraction = 3,
  kEmbedding = 4,
  kService = 5,
  kProgram = 6,
  kSummary = 7,
  kTool = 8,        // what a tool of the research agent asks for: pages, documents
  kSummarizer = 9,  // shortens for the research agent what its model is to read
};
inline constexpr RequestRole kLastRequestRole = RequestRole::kSummarizer;
std::string_view RequestRoleName(RequestRole role);  // "candidate", "judge", ...

struct RequestTag {
  RequestRole role = RequestRole::kCandidate;
  CaseIndex case_index = 0;
  VariantIndex variant = 0;
  AttemptIndex attempt = 0;
  std::uint32_t turn = 0;        // candidates: which generated turn of the case, from 0
  bool is_final_turn = false;    // candidates: the answer after the last user turn
  CheckIndex check = 0;          // judges and services: which check
  std::string_view judge_model;  // judges: model id; owned by the Suite
  std::string criterion = {};    // judges: what is judged
};

// A request's own word on how often it is sent again, and the pause before each: `backoff` × the try. Never
// part of the key.
struct RetryRule {
  int max_retries = 0;
  std::chrono::milliseconds backoff{0};
};

struct PlannedRequest {
  Request request;
  RequestTag tag;
  std::optional<RetryRule> retry = {};  // absent: the run's own policy
  bool takes_silence = false;           // a reply without a word is an answer: it is not asked for again
  bool takes_any_end = false;           // and so is what its service broke off for no reason that we know
};

// One line of JSON with a fixed order of members; versioned by its first member ("v"). Layout: request.cc.
std::string CanonicalText(const Request& request);
// The same with the recording that answers as its last member.
std::string WithSource(std::string canonical_text, std::string_view source);
Digest KeyOf(std::string_view canonical_text);

// Whom a live model or embedding call goes to, from its canonical text, of which no tree is made; nothing for
// other requests and for recorded replies.
struct CalledModel {
  std::string provider;
  std::string model;
};
std::optional<CalledModel> CalledModelOf(std::string_view canonical_text);

// What the canonical text of a live model or embedding call says of it; nothing for other requests and for
// recorded replies.
struct CallFacts {
  std::string provider;
  std::string model;
  std::size_t text_bytes = 0;  // of messages, or of texts to embed
  bool has_media = false;      // messages have more than text: their tokens are not of these bytes alone
};
std::optional<CallFacts> CallFactsOf(std::string_view canonical_text);

// How often a service used a tool of its own.
struct ToolUse {
  std::string_view seller;  // under whose name the tool has its price; both of a table that stays
  std::string_view tool;
  std::int64_t calls = 0;
  friend bool operator==(const ToolUse&, const ToolUse&) = default;
};

// What a reply says of its price beside its tokens. Of several tries: the sum.
struct Billing {
  std::optional<std::int64_t> cost_nano_usd;  // what the service says that the call cost; wins over any table
  std::int64_t hour_write_tokens = 0;         // of cached_write_tokens: kept for an hour, not for minutes
  std::int64_t tools_nano_usd = 0;            // what the service's own tools cost
  std::vector<ToolUse> tool_uses = {};        // of that; of one reply as it is read, not stored
  // What the call may have cost, where a reply says nothing of its usage: guessed from the length of its
  // texts, 0 without a price. Absent: the reply said it, or nobody was paid.
  std::optional<std::int64_t> estimated_nano_usd;
  Billing& operator+=(const Billing& other);
  friend bool operator==(const Billing&, const Billing&) = default;
};

struct Usage {
  std::int64_t input_tokens = 0;         // all of them, cached ones included
  std::int64_t output_tokens = 0;        // all of them, reasoning included
  std::int64_t reasoning_tokens = 0;     // of the output: thoughts
  bool known = false;                    // false: the reply said nothing
  std::int64_t cached_read_tokens = 0;   // of the input: found in the provider's cache of prompts
  std::int64_t cached_write_tokens = 0;  // of the input: put there
  Billing billing = {};
  Usage& operator+=(const Usage& other);
  friend bool operator==(const Usage&, const Usage&) = default;
};

// What calls used, apart by why they were made. Usage that nobody stated is left out.
class UsageByRole {
 public:
  void Add(RequestRole role, const Usage& usage);
  UsageByRole& operator+=(const UsageByRole& other);
  // Of all these roles together.
  Usage Of(std::initializer_list<RequestRole> roles) const;
  Usage OfAnswers() const {
    return Of({RequestRole::kCandidate, RequestRole::kSummary, RequestRole::kSummarizer});
  }
  Usage OfJudging() const {
    return Of({RequestRole::kJudge, RequestRole::kBackupJudge, RequestRole::kExtraction});
  }
  // In the order of their numbers, each once.
  const std::vector<std::pair<RequestRole, Usage>>& parts() const { return parts_; }
  bool empty() const { return parts_.empty(); }
  friend bool operator==(const UsageByRole&, const UsageByRole&) = default;

 private:
  std::vector<std::pair<RequestRole, Usage>> parts_;
};

// ModelReply::finish_reason of a text that its limit of tokens ended.
inline constexpr std::string_view kCutAtLimit = "length";

struct ModelReply {
  std::string text;
  std::string reasoning;
  std::vector<ToolCall> tool_calls = {};  // that the model asks for, each with an id of its own
  std::string finish_reason;  // "stop", "length", "tool_calls", "content_filter", ...; "" if unknown
  Usage usage;
  // What the service says of the end beside that, as long as the reply is being read; not stored.
  std::string end_words = {};
  // The model's turn as its protocol has it, in JSON that only the codec reads: for follow-ups, where text
  // and calls would not say all of it; "": they do. See Message::parts.
  std::string parts = {};
  // What the service's own tools found for it: a list of {url, title, quote}, each a text where there is one;
  // undefined: nothing.
  Value citations = {};
  // The tier that answered, in the service's word: "flex"; not stored, the exchange has its price.
  std::string tier = {};
  // What a system under test tells of its turn (spec/turn/turn_details.h); else undefined.
  Value details = {};
  // What `usage` lacks although it is known: the input, and the output, of which then stands here how many
  // characters its message has as JSON in Python's spacing.
  bool lacks_input = false;
  std::int64_t uncounted_characters = 0;
  // What the reply says of who answered.
  Rare<ServedBy> served = {};
};

struct EmbedReply {
  std::vector<std::vector<double>> vectors;
  Usage usage;
};

struct CorpusReply {
  Value answer;  // of the operation: what a tool's caller reads
};

using Reply = std::variant<ModelReply, EmbedReply, HttpReply, ProcessReply, CorpusReply>;

}  // namespace assay
