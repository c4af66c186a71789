// The generator `ingest`: asks for a document's text where a program has to give it, and for vectors of its
// chunks where an endpoint embeds them. The document is made from the exchanges later; the answer says
// nothing.
#include "corpus/read/intake.h"

#include <algorithm>

#include "corpus/limits.h"
#include "plan/answers/generator.h"
#include "plan/steps.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

IntakeInput InputOf(const Suite& suite, const Case& the_case) {
  const auto found =
      std::find_if(suite.toolchains.begin(), suite.toolchains.end(),
                   [](const Toolchain& toolchain) { return toolchain.language == kPdfProgram; });
  return {.document = the_case.documents->front(),
          .settings = suite.corpus,
          .pdf_toolchain = found == suite.toolchains.end() ? std::string_view() : found->digest};
}

}  // namespace

std::uint32_t IngestRequestsMax(const Case&, const Variant&) {
  return 1 + static_cast<std::uint32_t>(limits::kChunksMax / limits::kEmbeddedTextsMax);
}

// How many chunks a PDF has is known when its text is there.
std::vector<StepParty> IngestParties(const Suite& suite, const Case& the_case, const Variant& variant) {
  std::vector<StepParty> parties;
  const CaseDocument& document = the_case.documents->front();
  const bool needs_program = NeedsProgram(document);
  if (needs_program) parties.push_back({.role = RequestRole::kProgram});
  if (!suite.corpus.endpoint) return parties;
  std::uint32_t requests = 1;
  if (document.blob != nullptr && !needs_program) {
    const Result<Intake> intake = TakeIn(InputOf(suite, the_case), {});
    requests = intake ? static_cast<std::uint32_t>(intake->needs.size()) : 0;
  }
  parties.push_back({.role = RequestRole::kEmbedding,
                     .model = &variant,
                     .id = variant.id,
                     .usual = requests,
                     .most = requests});
  return parties;
}

Action NextIngest(const StepContext& context, std::span<const Exchange> so_far) {
  Result<Intake> intake = TakeIn(InputOf(context.suite, context.TheCase()), so_far);
  if (!intake || intake->needs.empty()) return Done{Transcript{}};
  Need need;
  for (Request& request : intake->needs) {
    const bool is_program = std::holds_alternative<ProcessRequest>(request);
    need.requests.push_back(
        {.request = std::move(request),
         .tag = TagOf(context, is_program ? RequestRole::kProgram : RequestRole::kEmbedding)});
  }
  return need;
}

}  // namespace assay
