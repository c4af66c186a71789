// Encodes requests for the services of a sitting with what is known of them, and decodes their replies.
#include "run/wire/wire.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/wire/aws_frames.h"
#include "base/wire/line_protocol.h"
#include "providers/shapes/reply/reply_json.h"
#include "providers/shapes/reply/status.h"
#include "run/wire/charset.h"
#include "spec/suite/asked_members.h"

namespace assay {

namespace {

constexpr int kFirstErrorStatus = 400;
constexpr int kNoSuchPlace[] = {404, 405, 410};  // not found, no such method there, gone

// Neither a user's password nor a query, which may hold a key.
std::string ShownAddress(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  const std::size_t host = url.find("://");
  if (host == std::string_view::npos) return std::string(url);
  const std::size_t path = std::min(url.find('/', host + 3), url.size());
  const std::size_t at = url.substr(0, path).rfind('@');
  return at == std::string_view::npos || at < host
             ? std::string(url)
             : fmt::format("{}{}", url.substr(0, host + 3), url.substr(at + 1));
}

// What a suite says of its own model; undefined for others.
const Value& CustomOf(const PreparedRequest& prepared) {
  static const Value kNone;
  const auto* model = std::get_if<ModelRequest>(&prepared.request);
  return model == nullptr ? kNone : model->custom;
}

const SamplingParams& ParamsOf(const PreparedRequest& prepared) {
  static const SamplingParams kNone;
  const auto* model = std::get_if<ModelRequest>(&prepared.request);
  return model == nullptr ? kNone : model->params;
}

}  // namespace

bool Wire::IsAsked(const PreparedRequest& prepared) {
  if (prepared.recorded) return false;
  const auto* model = std::get_if<ModelRequest>(&prepared.request);
  const auto* embed = std::get_if<EmbedRequest>(&prepared.request);
  if (model == nullptr && embed == nullptr) return false;
  const ProviderRow* row = FindProvider(model == nullptr ? embed->provider : model->provider);
  return row != nullptr && row->route == Route::kHttp;
}

WireReader Wire::reader() const {
  WireReader reader;
  reader.models_ = &models_;
  reader.streams_ = endpoints_.streams;
  reader.keeps_think_tags_ = rules_.keeps_think_tags;
  reader.redactor_ = redactor_;
  return reader;
}

void Wire::Hide(const Secret& key) {
  auto more = std::make_shared<Redactor>(*redactor_);
  more->Add(key);
  redactor_ = std::move(more);
}

// A program that belongs to one run of several keeps its files below that run's folder.
void Wire::KeepFolder(HttpRequest& request) const {
  if (rules_.runtime_root.empty() || request.route != Route::kProgram) return;
  for (const HttpHeader& header : request.headers) {
    if (header.name != kRunHeader) continue;
    request.headers.push_back(
        {std::string(kFolderHeader), fmt::format("{}/{}/runtime", rules_.runtime_root, header.value)});
    return;
  }
}

Result<WireRequest> Wire::Encode(const PreparedRequest& prepared) const {
  ASSAY_TRY(WireRequest wire, EncodeOnWire(prepared, endpoints_, models_));
  if (auto* http = std::get_if<HttpRequest>(&wire)) KeepFolder(*http);
  return wire;
}

Error Wire::WithAddress(const PreparedRequest& prepared, int status, Error error) const {
  const bool is_said =
      std::find(std::begin(kNoSuchPlace), std::end(kNoSuchPlace), status) != std::end(kNoSuchPlace);
  if (!is_said || !IsAsked(prepared)) return error;
  const Result<WireRequest> wire = EncodeOnWire(prepared, endpoints_, models_);
  const auto* http = wire ? std::get_if<HttpRequest>(&*wire) : nullptr;
  if (http == nullptr || http->url.empty()) return error;
  std::string address = ShownAddress(http->url);
  redactor_->Redact(address);
  error.message += fmt::format("; the address asked: {}", address);
  return error;
}

void Wire::AdaptTo(const Adaptation& adaptation, const PreparedRequest& prepared, HttpRequest& request) {
  Adapt(adaptation, request, CustomOf(prepared));
}

void Wire::Sign(const PreparedRequest& prepared, std::int64_t now_ms, HttpRequest& request) const {
  const auto* model = std::get_if<ModelRequest>(&prepared.request);
  if (model == nullptr || prepared.recorded || !model->custom.is_undefined()) return;
  const Endpoint* endpoint = endpoints_.Find(model->provider, model->base_url);
  if (endpoint != nullptr && endpoint->aws) SignForAws(*endpoint->aws, now_ms, request);
}

bool WireReader::KeepsThinkTags(const PreparedRequest& prepared) const {
  if (keeps_think_tags_) return true;
  const auto* model = std::get_if<ModelRequest>(&prepared.request);
  if (model == nullptr) return true;
  const std::optional<ModelFacts> facts = models_->Find(model->provider, model->model);
  return facts && facts->keeps_think_tags;
}

void WireReader::PriceTools(const PreparedRequest& prepared, WireVerdict& verdict) const {
  const auto* model = std::get_if<ModelRequest>(&prepared.request);
  if (model == nullptr || prepared.recorded) return;
  auto* reply = verdict.reply ? std::get_if<ModelReply>(&*verdict.reply) : nullptr;
  Usage& usage = reply != nullptr ? reply->usage : verdict.stated.usage;
  models_->PriceTools(model->provider, ModelSent(*model), usage);
  usage.billing.tool_uses.clear();
}

WireNews WireReader::Decode(const PreparedRequest& prepared, WireReply reply, std::int64_t now_ms) const {
  WireNews news;
  bool held_key = false;
  if (auto* http = std::get_if<HttpReply>(&reply)) {
    if (Wire::IsAsked(prepared)) {
      ReadAwsFrames(*http);
      ReadAsUtf8(*http);
      SpellNumbers(http->body);
      // Read, paced and tried again as what it is.
      if (const int inside = StatusInside(*http); inside > 0) http->status = inside;
    }
    held_key = redactor_->Redact(*http);  // what is learned from it is told in its words, too
    news.learned = LearnFrom(*http, CustomOf(prepared), ParamsOf(prepared));
    news.pace = PaceOf(*http, now_ms);
    news.is_hopeless = IsQuotaSpent(*http);
    news.status = http->status;
    news.is_stream = streams_ && IsEventStream(*http);  // others are nobody's wish
    news.first_byte = http->first_byte;
    news.duration = http->duration;
  } else if (const auto* process = std::get_if<ProcessReply>(&reply)) {
    news.duration = process->duration;
  }
  WireVerdict& verdict = news.verdict =
      DecodeFromWire(prepared, *redactor_, std::move(reply), Redaction::kDone);
  if (held_key) verdict.raw.clear();
  PriceTools(prepared, verdict);
  if (!KeepsThinkTags(prepared)) KeepThoughtsApart(prepared, verdict);
  if (news.pace.should_retry && news.status >= kFirstErrorStatus && verdict.reply_class != ReplyClass::kOk)
    verdict.reply_class = *news.pace.should_retry ? ReplyClass::kRetry : ReplyClass::kFail;
  return news;
}

Patience Wire::PatienceFor(const PreparedRequest& prepared) const {
  const auto* model = std::get_if<ModelRequest>(&prepared.request);
  const Endpoint* endpoint = model == nullptr ? nullptr : endpoints_.Find(model->provider, model->base_url);
  return endpoint == nullptr ? Patience{} : endpoint->patience;
}

}  // namespace assay
