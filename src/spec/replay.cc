// Reading and writing recordings.
#include "spec/replay.h"

#include <fmt/core.h>

#include <map>
#include <memory>

#include "text/json/json.h"

namespace assay {

namespace {

constexpr std::size_t kSourceDigits = 12;
constexpr std::string_view kSourceMember = ",\"source\":\"";

using Replies = std::map<Digest, Reply>;

// "source" is the last member, and an unescaped quote cannot occur inside a text before it.
std::string_view WithoutSource(std::string_view canonical) {
  const std::size_t member = canonical.rfind(kSourceMember);
  return member == std::string_view::npos ? canonical.substr(0, canonical.size() - 1)
                                          : canonical.substr(0, member);
}

// By the member that names whom a canonical request goes to.
std::optional<RequestKind> KindOf(const Value& request) {
  if (request.Find("model_call") != nullptr) return RequestKind::kModel;
  if (request.Find("embedding") != nullptr) return RequestKind::kEmbed;
  if (request.Find("http") != nullptr) return RequestKind::kHttp;
  return std::nullopt;
}

// Where the user's own server stands was part of the stored key, but is no part of what was asked. The URL of
// a model that the suite describes is.
Value WithoutUsersUrl(const Value& request) {
  Value asked = request;
  const Value* provider = asked.Find("model_call");
  const bool is_custom = provider != nullptr && SameValue(*provider, Value("custom"));
  if (!is_custom) asked.AsMap().Erase("base_url");
  return asked;
}

// The exchange of one line, or what is wrong with it.
Result<std::pair<Digest, Reply>> ReadLine(std::string_view line) {
  ASSAY_TRY(const Value exchange, ParseJson(line));
  const Value* version = exchange.Find("v");
  const Value* request = exchange.Find("request");
  const Value* reply = exchange.Find("reply");
  if (version == nullptr || request == nullptr || reply == nullptr) {
    return Error{ErrorCode::kInvalidInput, R"(expected {"v":1,"request":{...},"reply":{...}})"};
  }
  if (!SameValue(*version, Value(1))) {
    return Error{ErrorCode::kUnsupported, "this recording is of another version than 1"};
  }
  const std::optional<RequestKind> kind = KindOf(*request);
  if (!kind) {
    return Error{ErrorCode::kInvalidInput,
                 "\"request\" goes to no model, embedder or service (it has no \"model_call\", "
                 "\"embedding\" or \"http\")"};
  }
  ASSAY_TRY(Reply decoded, DecodeReply(*kind, WriteJson(*reply, JsonStyle::kJavaScript)));
  return std::pair(KeyOf(WriteJson(WithoutUsersUrl(*request), JsonStyle::kJavaScript)), std::move(decoded));
}

}  // namespace

std::string ReplayLine(const Exchange& exchange) {
  if (exchange.kind == RequestKind::kProcess || exchange.error || exchange.request.empty()) return "";
  return fmt::format("{{\"v\":1,\"request\":{}}},\"reply\":{}}}\n", WithoutSource(exchange.request),
                     EncodeReply(exchange.reply));
}

Replay ReadReplay(const std::string& path, FileId file, std::string_view text, Diagnostics& diagnostics) {
  auto replies = std::make_shared<Replies>();
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = text.substr(start, end - start);
    const Span where{file, static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(line.size())};
    start = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    Result<std::pair<Digest, Reply>> entry = ReadLine(line);
    if (!entry) {
      diagnostics.Error("replay.line", entry.error().message, where,
                        "record the run again with --record, or remove the line");
      continue;
    }
    replies->insert(*std::move(entry));
  }
  Replay replay;
  replay.replies = replies->size();
  replay.recording.source = "replay:" + HexPrefix(Sha256Of(text), kSourceDigits);
  replay.recording.path = path;
  const auto find = [replies](const Request& request) -> std::optional<Reply> {
    const auto found = replies->find(KeyOf(CanonicalText(request)));
    if (found == replies->end()) return std::nullopt;
    return found->second;
  };
  replay.recording.find = [find](const Suite&, const ModelRequest& request,
                                 const RequestTag&) -> std::optional<ModelReply> {
    std::optional<Reply> found = find(request);
    if (!found) return std::nullopt;
    return std::get<ModelReply>(*std::move(found));
  };
  replay.recording.find_other = find;
  return replay;
}

}  // namespace assay
