// A case for each document.
#include "corpus/read/opening.h"

#include <utility>

#include "spec/suite/suite.h"

namespace assay {

Suite OpeningSuite(const Suite& suite, std::vector<CaseDocument> documents) {
  Suite opening;
  opening.id = suite.id;
  opening.title = suite.title;
  opening.dialect = suite.dialect;
  opening.corpus = suite.corpus;
  opening.concurrency = suite.concurrency;
  opening.refuses_unusable = true;  // nothing takes the place of an embedder
  opening.grades_empty_answers = true;
  Variant& embedder = opening.variants.emplace_back();
  embedder.id = suite.corpus.embedder;
  embedder.model_id = suite.corpus.embedder;
  if (suite.corpus.endpoint) static_cast<ModelRef&>(embedder) = *suite.corpus.endpoint;
  for (CaseDocument& document : documents) {
    Case& the_case = opening.cases.emplace_back();
    the_case.id = document.id;
    the_case.generator = "ingest";
    the_case.turns = {{.role = Role::kAssistant, .kind = TurnKind::kGenerate, .text = {}, .span = {}}};
    the_case.documents.edit().push_back(std::move(document));
  }
  return opening;
}

}  // namespace assay
