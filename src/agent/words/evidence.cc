// Reads passages out of the results of get_relevant_content and of the document search, and formats their
// relevance.
#include "agent/words/evidence.h"

#include <fmt/core.h>

#include "spec/turn/turn_details.h"
#include "text/found.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::string_view kRelevance = "relevance";
constexpr std::string_view kPlace = "place";

// Numbers as they are printed for models: 0.412.
Value RelevanceText(const Value& relevance) {
  return relevance.is_number() ? Value(fmt::format("{:.3f}", relevance.AsNumber())) : relevance;
}

void AddPassage(std::string_view source, const Value& passage, List& evidence) {
  const Value* relevance = passage.Find(kRelevance);
  if (relevance == nullptr || evidence.size() >= limits::kTracedEvidenceMax) return;
  Map map = Object{{"source", source}, {kRelevance, RelevanceText(*relevance)}};
  if (const Value* place = passage.Find(kPlace)) map.Append(std::string(kPlace), *place);
  evidence.emplace_back(std::move(map));
}

}  // namespace

List EvidenceOf(const Value& result) {
  List evidence;
  if (!result.is_map()) return evidence;
  for (const Member& source : result.AsMap()) {
    // {source: {chunks: [...]}}, or {evidence: [{handle, ...}]}.
    const bool is_list = source.value.is_list();
    for (const Value& passage : is_list ? source.value.AsList() : source.value.ListAt("chunks")) {
      const std::string* handle = is_list ? FindText(passage, "handle") : &source.key;
      if (handle != nullptr) AddPassage(*handle, passage, evidence);
    }
  }
  return evidence;
}

std::string ProblemOfResult(const Value& result) { return result.TextAt("error"); }

}  // namespace assay
