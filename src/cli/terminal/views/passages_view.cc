// Finds the words of passages in the texts of their documents.
#include "cli/terminal/views/passages_view.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "base/text/utf8.h"
#include "cli/terminal/screen.h"
#include "cli/terminal/ui.h"
#include "engine/words.h"
#include "spec/suite/case.h"

namespace assay {

namespace {

constexpr std::size_t kShownMax = 12;
constexpr std::size_t kColumnsMax = 140;
constexpr std::size_t kWordsBytesMax = 4u << 10;       // of one passage
constexpr std::size_t kDocumentsBytesMax = 16u << 20;  // that are remembered

std::string_view KindWord(PassageKind kind) {
  switch (kind) {
    case PassageKind::kNeeded:
      return "needed";
    case PassageKind::kRetrieved:
      return "retrieved";
    case PassageKind::kQuoted:
      return "quoted";
  }
  return "";
}

std::string DocumentName(const CaseDocument& document) {
  if (!document.title.empty()) return Printable(document.title);
  return Printable(document.id);
}

// In one line: blanks and ends of lines are a blank.
std::string InOneLine(std::string_view words) {
  std::string line;
  for (const char c : words) {
    const bool is_blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (is_blank && (line.empty() || line.back() == ' ')) continue;
    line += is_blank ? ' ' : c;
  }
  return line;
}

}  // namespace

Result<const DocumentOfRun*> DocumentTexts::Of(const std::string& id) {
  const auto known = read_.find(id);
  if (known != read_.end()) return known->second ? &*known->second : nullptr;
  if (bytes_ > kDocumentsBytesMax) {
    read_.clear();
    bytes_ = 0;
  }
  std::optional<DocumentOfRun>& document = read_[id];
  if (report_.document_of != nullptr) {
    ASSAY_TRY(document, report_.document_of(id));
  }
  if (document) bytes_ += document->text.size();
  return document ? &*document : nullptr;
}

Result<std::string> PassagesText(const AttemptRecord& record, const Case& the_case, DocumentTexts& texts,
                                 bool in_full) {
  if (!record.evidence || the_case.documents->empty()) return std::string();
  std::string text;
  std::size_t shown = 0;
  std::size_t left = 0;
  for (const DocumentPassage& passage : record.evidence->passages) {
    if (passage.document >= the_case.documents->size()) continue;
    const CaseDocument& document = (*the_case.documents)[passage.document];
    ASSAY_TRY(const DocumentOfRun* stored, texts.Of(document.id));
    if (stored == nullptr || passage.range.to > stored->text.size()) continue;
    if (!in_full && shown == kShownMax) {
      ++left;
      continue;
    }
    ++shown;
    const std::size_t size = passage.range.to - passage.range.from;
    const std::string_view passed = std::string_view(stored->text).substr(passage.range.from, size);
    const std::string words = InOneLine(Printable(CutToBytes(passed, kWordsBytesMax)));
    text += fmt::format("  {} in {}: “{}”\n", KindWord(passage.kind), DocumentName(document),
                        in_full ? words : CutToWidth(words, kColumnsMax));
  }
  if (left > 0) text += fmt::format("  and {} more, all of them with --verbose\n", Counted(left, "passage"));
  return text.empty() ? text : "passages:\n" + text;
}

}  // namespace assay
