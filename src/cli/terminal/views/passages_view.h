// Formats the passages of documents that had to do with an attempt, with their words.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/errors/result.h"
#include "spec/report/report.h"

namespace assay {

// The texts of a run's documents, each read once as long as all of them take little.
class DocumentTexts {
 public:
  explicit DocumentTexts(const Report& report) : report_(report) {}
  // Null: the store has no text of it. Valid until the next one is asked for.
  Result<const DocumentOfRun*> Of(const std::string& id);

 private:
  const Report& report_;
  std::map<std::string, std::optional<DocumentOfRun>> read_;
  std::size_t bytes_ = 0;  // of the texts
};

// "passages:", then a line each: what it was (needed, retrieved, quoted), its document and its words. "" if
// nothing is known. In full with --verbose, else the first ones, and these in a line.
Result<std::string> PassagesText(const AttemptRecord& record, const Case& the_case, DocumentTexts& texts,
                                 bool in_full);

}  // namespace assay
