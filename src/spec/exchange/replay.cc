// Writes recordings as JSON Lines, and reads and indexes them by canonical request.
#include "spec/exchange/replay.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "base/hash.h"
#include "spec/exchange/unread_reply.h"
#include "text/json/json.h"
#include "text/json/record.h"
#include "text/packed/base64.h"

namespace assay {

namespace {

constexpr std::size_t kSourceDigits = 12;
constexpr std::string_view kSourceMember = ",\"source\":\"";

using Replies = std::map<Digest, Reply>;
using Failures = std::map<Digest, Error>;

constexpr int kReplyVersion = 1;
constexpr int kFailureVersion = 2;
constexpr int kClockVersion = 3;
constexpr int kFetchedVersion = 4;

// "source" is the last member, and an unescaped quote cannot occur inside a text before it.
std::string_view WithoutSource(std::string_view canonical) {
  const std::size_t member = canonical.rfind(kSourceMember);
  return member == std::string_view::npos ? canonical.substr(0, canonical.size() - 1)
                                          : canonical.substr(0, member);
}

// Programs that read a document answer for it wherever the recording goes; those that are graded run again.
bool ReadsDocument(const ProcessRequest& request) {
  return std::any_of(request.files.begin(), request.files.end(),
                     [](const FileSpec& file) { return file.blob != nullptr; });
}
bool ReadsDocument(const Value& request) {
  const Map& members = request.AsMap();
  return std::any_of(members.begin(), members.end(),
                     [](const Member& member) { return member.key.starts_with("blob:"); });
}

// By the member that names whom a canonical request goes to.
std::optional<RequestKind> KindOf(const Value& request) {
  if (request.Find("model_call") != nullptr) return RequestKind::kModel;
  if (request.Find("embedding") != nullptr) return RequestKind::kEmbed;
  if (request.Find("http") != nullptr) return RequestKind::kHttp;
  if (request.Find("program") != nullptr && ReadsDocument(request)) return RequestKind::kProcess;
  return std::nullopt;
}

// Where the user's own server stands, and which version of a program is here, was part of the stored key, but
// is no part of what was asked. The URL of a model that the suite describes is.
Value WithoutUsersUrl(const Value& request) {
  Value asked = request;
  if (Value* toolchain = asked.AsMap().Find("program"); toolchain != nullptr) *toolchain = Value("");
  const Value* provider = asked.Find("model_call");
  const bool is_custom = provider != nullptr && SameValue(*provider, Value("custom"));
  if (!is_custom) asked.AsMap().Erase("base_url");
  return asked;
}

Digest KeyOfRequest(const Value& request) {
  return KeyOf(WriteJson(WithoutUsersUrl(request), JsonStyle::kJavaScript));
}

// A request as KeyOfRequest sees it; nothing for one that is never recorded.
std::optional<std::string> AskedText(const Request& request) {
  const auto* process = std::get_if<ProcessRequest>(&request);
  if (process == nullptr) return CanonicalText(request);
  if (!ReadsDocument(*process)) return std::nullopt;
  ProcessRequest asked = *process;
  asked.toolchain_digest.clear();
  return CanonicalText(asked);
}

// What the lines of a recording say.
struct Lines {
  std::shared_ptr<Replies> replies = std::make_shared<Replies>();
  std::shared_ptr<Failures> failures = std::make_shared<Failures>();
  PromptClock prompts = {};
  std::map<std::string, std::string> fetched = {};
};

// What a line has beside its version and its request. One list of fields writes and reads each.
struct StoredFailure {
  std::string code;
  std::string message;

  template <class Failure, class Visitor>
  static void Visit(Failure& failure, Visitor&& visit) {
    visit.Needed("class", record::Text{failure.code});
    visit.Needed("message", record::Text{failure.message});
  }
};

struct StoredClock {
  double ms = 0;
  double utc_offset_min = 0;

  template <class Clock, class Visitor>
  static void Visit(Clock& clock, Visitor&& visit) {
    constexpr record::Range kMs{.low = -4e12, .high = 4e12};         // the year 2096
    constexpr record::Range kMinutes{.low = -1'440, .high = 1'440};  // of a time zone
    visit.Needed("ms", record::Real{clock.ms, kMs});
    visit.Needed("utc_offset_min", record::Real{clock.utc_offset_min, kMinutes});
  }
};

struct StoredFetch {
  std::string address;
  std::string sha256;
  std::string base64;

  template <class Fetch, class Visitor>
  static void Visit(Fetch& fetch, Visitor&& visit) {
    visit.Needed("address", record::Text{fetch.address});
    visit.Needed("sha256", record::Text{fetch.sha256});
    visit.Needed("base64", record::Text{fetch.base64});
  }
};

template <class Stored>
std::string ObjectText(const Stored& stored) {
  std::string text = "{";
  Stored::Visit(stored, record::MemberWriter(text));
  return text + "}";
}

// Nothing where no assay writes such an object.
template <class Stored>
std::optional<Stored> ReadObject(const Value& line, std::string_view name) {
  Stored stored;
  const Value* object = line.Find(name);
  if (object == nullptr) return std::nullopt;
  record::MemberReader reader(*object);
  Stored::Visit(stored, reader);
  return reader.good() ? std::optional(std::move(stored)) : std::nullopt;
}

Status TakeFailure(const Value& line, const Value& request, Lines& lines) {
  std::optional<StoredFailure> error = ReadObject<StoredFailure>(line, "error");
  const std::optional<ErrorCode> code = error ? ErrorCodeOf(error->code) : std::nullopt;
  if (!code || request.Find("model_call") == nullptr) {
    return Error{ErrorCode::kInvalidInput,
                 R"(expected {"v":2,"request":{"model_call":...},"error":{"class","message"}})"};
  }
  lines.failures->emplace(KeyOfRequest(request), Error{*code, std::move(error->message)});
  return Ok();
}

Status TakeClock(const Value& line, Lines& lines) {
  const std::optional<StoredClock> clock = ReadObject<StoredClock>(line, "prompts");
  if (!clock)
    return Error{ErrorCode::kInvalidInput, R"(expected {"v":3,"prompts":{"ms":…,"utc_offset_min":…}})"};
  lines.prompts = {.ms = static_cast<std::int64_t>(clock->ms),
                   .utc_offset_min = static_cast<std::int32_t>(clock->utc_offset_min)};
  return Ok();
}

Status TakeFetched(const Value& line, Lines& lines) {
  const std::optional<StoredFetch> fetched = ReadObject<StoredFetch>(line, "fetched");
  std::optional<std::string> bytes = fetched ? DecodeBase64(fetched->base64) : std::nullopt;
  if (!bytes || fetched->address.empty() || Hex(Sha256Of(*bytes)) != fetched->sha256)
    return Error{ErrorCode::kInvalidInput, R"(expected {"v":4,"fetched":{"address","sha256","base64"}})"};
  lines.fetched.emplace(fetched->address, *std::move(bytes));
  return Ok();
}

// Takes the exchange of one line, or says what is wrong with it.
Status TakeLine(std::string_view line, Lines& lines) {
  ASSAY_TRY(const Value exchange, ParseJson(line));
  const Value* version = exchange.Find("v");
  const Value* request = exchange.Find("request");
  const Value* reply = exchange.Find("reply");
  if (version != nullptr && SameValue(*version, Value(kClockVersion))) return TakeClock(exchange, lines);
  if (version != nullptr && SameValue(*version, Value(kFetchedVersion))) return TakeFetched(exchange, lines);
  const bool is_failure = version != nullptr && SameValue(*version, Value(kFailureVersion));
  if (version == nullptr || request == nullptr || (reply == nullptr && !is_failure)) {
    return Error{ErrorCode::kInvalidInput, R"(expected {"v":1,"request":{...},"reply":{...}})"};
  }
  if (is_failure) return TakeFailure(exchange, *request, lines);
  if (!SameValue(*version, Value(kReplyVersion))) {
    return Error{ErrorCode::kUnsupported, "this recording is of another version than 1 to 4"};
  }
  const std::optional<RequestKind> kind = KindOf(*request);
  if (!kind) {
    return Error{ErrorCode::kInvalidInput,
                 "\"request\" goes to no model, embedder, service or program that reads a document (it has "
                 "no \"model_call\", \"embedding\", \"http\", or \"program\" with a blob)"};
  }
  ASSAY_TRY(Reply decoded, DecodeReply(*kind, WriteJson(*reply, JsonStyle::kJavaScript)));
  lines.replies->emplace(KeyOfRequest(*request), std::move(decoded));
  return Ok();
}

}  // namespace

std::string ReplayClockLine(const PromptClock& prompts) {
  if (prompts.ms == 0) return {};
  const StoredClock clock{.ms = static_cast<double>(prompts.ms),
                          .utc_offset_min = static_cast<double>(prompts.utc_offset_min)};
  return fmt::format("{{\"v\":{},\"prompts\":{}}}\n", kClockVersion, ObjectText(clock));
}

std::string ReplayLine(const Exchange& exchange) {
  // What a judge may have lost its vote to is said to the replay, too.
  if (exchange.error && IsJudge(exchange.role) && MayQuoteUnread(exchange.error->code))
    return ReplayFailureLine(exchange);
  // Graded programs and questions to documents are answered here again.
  if (exchange.kind == RequestKind::kCorpus || exchange.error || exchange.request.empty()) return "";
  if (exchange.kind == RequestKind::kProcess) {
    const Result<Value> request = ParseJson(exchange.request);
    if (!request || !request->is_map() || !ReadsDocument(*request)) return "";
  }
  return fmt::format("{{\"v\":{},\"request\":{}}},\"reply\":{}}}\n", kReplyVersion,
                     WithoutSource(exchange.request), EncodeReply(exchange.reply));
}

std::string ReplayFailureLine(const Exchange& exchange) {
  if (exchange.kind != RequestKind::kModel || !exchange.error || exchange.request.empty()) return "";
  const StoredFailure failure{.code = std::string(ErrorCodeName(exchange.error->code)),
                              .message = exchange.error->message};
  return fmt::format("{{\"v\":{},\"request\":{}}},\"error\":{}}}\n", kFailureVersion,
                     WithoutSource(exchange.request), ObjectText(failure));
}

std::string ReplayFetchedLine(std::string_view address, std::string_view sha256, std::string_view bytes) {
  const StoredFetch fetched{
      .address = std::string(address), .sha256 = std::string(sha256), .base64 = EncodeBase64(bytes)};
  return fmt::format("{{\"v\":{},\"fetched\":{}}}\n", kFetchedVersion, ObjectText(fetched));
}

std::string RecordingName(std::string_view hex_digest) {
  return fmt::format("replay:{}", hex_digest.substr(0, kSourceDigits));
}

// The source is the last member, and only structure has quotes without a backslash.
std::string_view RecordingOf(std::string_view canonical_tail) {
  constexpr std::string_view kMember = ",\"source\":\"";
  constexpr std::string_view kEnd = "\"}";
  canonical_tail.remove_prefix(canonical_tail.size() - std::min(canonical_tail.size(), kRecordingTailBytes));
  const std::size_t at = canonical_tail.rfind(kMember);
  if (at == std::string_view::npos || !canonical_tail.ends_with(kEnd)) return {};
  std::string_view source = canonical_tail.substr(at + kMember.size());
  source.remove_suffix(kEnd.size());
  source = source.substr(0, source.find('#'));
  const bool is_recording = source.starts_with("replay:") && source.find('"') == std::string_view::npos;
  return is_recording ? source : std::string_view();
}

Replay ReadReplay(const std::string& path, FileId file, std::string_view text, Diagnostics& diagnostics) {
  Lines lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = text.substr(start, end - start);
    const Span where{file, static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(line.size())};
    start = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (const Status taken = TakeLine(line, lines); !taken) {
      diagnostics.Error("replay.line", taken.error().message, where,
                        "record the run again with --record, or remove the line");
    }
  }
  Replay replay;
  replay.replies = lines.replies->size();
  replay.recording.source = RecordingName(Hex(Sha256Of(text)));
  replay.recording.path = path;
  replay.recording.prompts = lines.prompts;
  replay.recording.fetched = std::move(lines.fetched);
  const auto find = [replies = lines.replies](const Request& request) -> std::optional<Reply> {
    const std::optional<std::string> asked = AskedText(request);
    if (!asked) return std::nullopt;
    const auto found = replies->find(KeyOf(*asked));
    if (found == replies->end()) return std::nullopt;
    return found->second;
  };
  replay.recording.find = [find](const Suite&, const ModelRequest& request,
                                 const RequestTag&) -> std::optional<ModelReply> {
    std::optional<Reply> found = find(request);
    if (!found) return std::nullopt;
    return std::get<ModelReply>(*std::move(found));
  };
  replay.recording.find_other = [find](const Suite&, const Request& request, const RequestTag&) {
    return find(request);
  };
  replay.recording.find_failure = [failures =
                                       lines.failures](const ModelRequest& request) -> std::optional<Error> {
    const auto found = failures->find(KeyOf(CanonicalText(request)));
    if (found == failures->end()) return std::nullopt;
    return found->second;
  };
  return replay;
}

}  // namespace assay
