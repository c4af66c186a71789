// Copies what a program may know of a case.
#include "plan/answers/briefing.h"

namespace assay {

std::shared_ptr<const CaseBriefing> BriefingOf(const Case& the_case, std::string question) {
  auto briefing = std::make_shared<CaseBriefing>();
  briefing->question = std::move(question);
  briefing->case_id = the_case.id;
  briefing->tags = the_case.tags;
  for (const CaseDocument& document : *the_case.documents) {
    briefing->documents.push_back(
        {.id = document.id, .title = document.title, .url = document.url, .path = document.path});
  }
  return briefing;
}

}  // namespace assay
