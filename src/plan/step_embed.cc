// The embedding step: vectors of answers and ideals, for their similarity.
// Source of the rules: weval 51dc4d3 (spec blueprint 14).
#include "plan/steps.h"
#include "spec/suite/suite.h"
#include "text/javascript/text.h"

namespace assay {

namespace {

// No attempt and no variant enters the request: equal texts are embedded once.
Action Embed(const StepContext& context, const std::string& text, std::span<const Exchange> so_far) {
  const Embedder& embedder = *context.suite.embedder;
  if (so_far.empty()) {
    EmbedRequest request{embedder, {text}, ""};
    return Need{{{.request = std::move(request), .tag = TagOf(context, RequestRole::kEmbedding)}}};
  }
  if (so_far.front().error) return Failed{*so_far.front().error};
  const auto* reply = std::get_if<EmbedReply>(&so_far.front().reply);
  if (reply == nullptr || reply->vectors.size() != 1) {
    return Failed{{ErrorCode::kInvalidInput, "expected one vector for one text"}};
  }
  return Done{Value()};
}

}  // namespace

Action NextEmbed(const Plan&, const StepTemplate& step, const StepContext& context,
                 std::span<const Exchange> so_far) {
  const Transcript& transcript = TranscriptOf(context);
  if (!transcript.error.empty()) return Done{Skipped{}};
  if (step.embeds == EmbeddedText::kIdeal) return Embed(context, *context.TheCase().ideal, so_far);
  if (JsTrim(transcript.answer).empty()) return Done{Skipped{}};
  return Embed(context, transcript.answer, so_far);
}

}  // namespace assay
