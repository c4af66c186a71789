// Asks the recordings for a reply, resolves base URLs, and makes the key of a request.
#include "run/wire/router.h"

#include <fmt/core.h>

#include "base/errors/diagnostics.h"
#include "base/hash.h"
#include "providers/facts/output_max.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr std::size_t kReplyDigits = 16;

// What is recorded may depend on more than the request says: two cases that ask the same have their own
// answers. So the reply itself is part of the key.
std::string SourceOf(const Recording& recording, const Reply& reply) {
  return fmt::format("{}#{}", recording.source, HexPrefix(Sha256Of(EncodeReply(reply)), kReplyDigits));
}

}  // namespace

bool MayAnswer(const Exchange& found, const PreparedRequest& prepared) {
  const auto* model = std::get_if<ModelRequest>(&prepared.request);
  if (model == nullptr || prepared.recorded) return true;
  const auto* reply = found.error ? nullptr : std::get_if<ModelReply>(&found.reply);
  const bool is_silence = reply != nullptr && SaysNothing(*reply);
  return !found.IsCutBelow(model->room) && (prepared.takes_silence || !is_silence);
}

void Router::FindOther(const Suite& suite, PreparedRequest& prepared) const {
  for (const Recording& recording : recordings_) {
    if (!recording.find_other) continue;
    prepared.recorded = recording.find_other(suite, prepared.request, prepared.tag);
    if (!prepared.recorded) continue;
    prepared.canonical = WithSource(std::move(prepared.canonical), recording.source);
    return;
  }
}

void Router::Redirect(const std::string& provider, std::string& base_url) const {
  if (!base_url.empty()) return;
  if (const auto found = base_urls_.find(provider); found != base_urls_.end()) base_url = found->second;
}

// Before the documents of its case.
void Router::AddProgramInputs(ModelRequest& request) const {
  if (programs_.empty()) return;
  const auto found = programs_.find(fmt::format("{}:{}", request.provider, request.model));
  if (found != programs_.end())
    request.inputs.insert(request.inputs.begin(), found->second.begin(), found->second.end());
}

PreparedRequest Router::Prepare(const Suite& suite, PlannedRequest planned) const {
  PreparedRequest prepared{.request = std::move(planned.request),
                           .tag = planned.tag,
                           .canonical = {},
                           .key = {},
                           .recorded = {},
                           .refused = {},
                           .retry = planned.retry,
                           .takes_silence = planned.takes_silence,
                           .takes_any_end = planned.takes_any_end};
  if (auto* model = std::get_if<ModelRequest>(&prepared.request)) {
    for (const Recording& recording : recordings_) {
      if (recording.only && recording.only != prepared.tag.role) continue;
      prepared.recorded = recording.find(suite, *model, prepared.tag);
      if (prepared.recorded) {
        model->source = SourceOf(recording, *prepared.recorded);
        break;
      }
      if (recording.find_failure) prepared.refused = recording.find_failure(*model);
      prepared.was_down = prepared.refused.has_value();
      if (prepared.was_down) break;
      if (recording.strict) {
        prepared.refused =
            Error{ErrorCode::kNotFound,
                  fmt::format("{} has no reply of {}:{} to the {} request of case {}", recording.path,
                              model->provider, model->model, RequestRoleName(prepared.tag.role),
                              Quoted(suite.cases[prepared.tag.case_index].id))};
        break;
      }
    }
  }
  if (auto* model = std::get_if<ModelRequest>(&prepared.request); model != nullptr && !prepared.recorded) {
    if (suite.thinkers_have_room) model->room = RoomOf(*model, models_.Find(model->provider, model->model));
    Redirect(model->provider, model->base_url);
    AddProgramInputs(*model);
  }
  prepared.canonical = CanonicalText(prepared.request);
  if (!std::holds_alternative<ModelRequest>(prepared.request)) FindOther(suite, prepared);
  if (auto* embed = std::get_if<EmbedRequest>(&prepared.request); embed != nullptr && !prepared.recorded) {
    Redirect(embed->provider, embed->base_url);
    prepared.canonical = CanonicalText(prepared.request);
  }
  prepared.key = KeyOf(prepared.canonical);
  return prepared;
}

}  // namespace assay
