// Says which documents must be opened before a run: those of the cases that assay's own research agent is
// asked, or whose answers must quote a document.
#include <algorithm>
#include <set>

#include "dialects/names.h"
#include "dialects/research/research.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr std::string_view kCitationKind = "expected_citation";

// A bare prompt names documents and reads none; a program reads them itself.
bool ReadsHere(const Variant& variant) {
  if (!variant.profile || !variant.problem.empty() || NamesProgram(variant.provider)) return false;
  const bool is_bare = variant.profile->lean && !variant.profile->research_mode;
  return variant.profile->source_provider == kLocalSnapshot && !is_bare;
}

// Whether an answer is held against the documents, whoever gave it.
bool IsCited(const Case& the_case) {
  return std::any_of(the_case.checks.begin(), the_case.checks.end(),
                     [](const Check& check) { return check.kind == kCitationKind; });
}

}  // namespace

std::vector<CaseDocument> ResearchDocuments(const Suite& suite) {
  std::vector<CaseDocument> documents;
  std::set<std::string_view> named;
  for (const Case& the_case : suite.cases) {
    bool is_read = IsCited(the_case);
    for (VariantIndex v = 0; v < suite.variants.size() && !is_read; ++v)
      is_read = the_case.Asks(v) && ReadsHere(suite.variants[v]);
    if (!is_read) continue;
    for (const CaseDocument& document : *the_case.documents) {
      if (!document.path.empty() && named.insert(document.id).second) documents.push_back(document);
    }
  }
  return documents;
}

}  // namespace assay
