// Finds the tags of a summary by plain text search, since a model's reply need not be well-formed markup.
#include "dialects/blueprint/summary/reply.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "text/javascript/text.h"
#include "text/object.h"

namespace assay::blueprint {
namespace {

constexpr GradeDimension kDimensions[] = {
    {"adherence", "does what was asked, and stays with it"},
    {"clarity", "easy to read and well formed"},
    {"tone", "speaks as the situation calls for"},
    {"depth", "sees what is complicated, and more than one side of it"},
    {"coherence", "thoughts follow from one another, the conversation is remembered"},
    {"helpfulness", "somebody could act on it"},
    {"credibility", "deserves trust: claims are supported"},
    {"empathy", "understands how the person feels"},
    {"creativity", "goes beyond the first idea"},
    {"safety", "notices risks to people, the unspoken ones too, and prevents harm"},
    {"humility", "knows and says what it does not know"},
    {"argumentation", "reasons soundly"},
    {"efficiency", "says what is needed and no more"},
};

bool StartsWithIgnoringCase(std::string_view text, std::string_view upper) {
  return text.size() >= upper.size() && JsToUpper(text.substr(0, upper.size())) == upper;
}

void RemoveAll(std::string& text, std::string_view part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) {
    text.erase(at, part.size());
  }
}

// The trimmed contents of every <tag>...</tag>, without empty ones.
List ContentsOf(std::string_view text, std::string_view tag) {
  const std::string opening = "<" + std::string(tag) + ">";
  const std::string closing = "</" + std::string(tag) + ">";
  List contents;
  for (std::size_t start = text.find(opening); start != std::string_view::npos;) {
    const std::size_t inner = start + opening.size();
    const std::size_t end = text.find(closing, inner);
    if (end == std::string_view::npos) break;
    std::string content(text.substr(inner, end - inner));
    RemoveAll(content, opening);
    if (const std::string_view trimmed = JsTrim(content); !trimmed.empty()) contents.push_back(trimmed);
    start = text.find(opening, end + closing.size());
  }
  return contents;
}

List TopicsOf(std::string_view text) {
  List topics = ContentsOf(text, "topic");
  for (Value& topic : topics) {
    const std::string lower = JsToLower(topic.AsString());
    const auto known = SummaryTopics();
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](std::string_view name) { return JsToLower(name) == lower; });
    if (found != known.end()) topic = *found;
  }
  return topics;
}

// What was said of one model, in the order in which models were graded first.
struct ModelGrades {
  std::string maker, model;
  Map scores;
  Map reasons;
};

ModelGrades& GradesOf(std::vector<ModelGrades>& all, std::string_view maker, std::string_view model) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const ModelGrades& grades) {
    return grades.maker == maker && grades.model == model;
  });
  if (found != all.end()) return *found;
  return all.emplace_back(ModelGrades{std::string(maker), std::string(model), {}, {}});
}

// The content of a grade without tags of grades within it.
std::string WithoutGradeTags(std::string text) {
  constexpr std::string_view kOpening = "<grade";
  for (std::size_t at = text.find(kOpening); at != std::string::npos; at = text.find(kOpening, at)) {
    const std::size_t end = text.find('>', at);
    if (end == std::string::npos) break;
    text.erase(at, end + 1 - at);
  }
  return std::string(JsTrim(text));
}

void AddGrade(std::string_view tag, std::string content, std::vector<ModelGrades>& all) {
  const TagAttributes attributes = ParseTagAttributes(tag);
  const std::string_view maker = AttributeOf(attributes, "maker");
  const std::string_view model = AttributeOf(attributes, "model");
  const std::string dimension(AttributeOf(attributes, "dimension"));
  const bool is_known = std::any_of(std::begin(kDimensions), std::end(kDimensions),
                                    [&](const GradeDimension& known) { return known.key == dimension; });
  content = WithoutGradeTags(std::move(content));
  if (maker.empty() || model.empty() || !is_known || content.empty()) return;
  Grade grade = ParseGrade(content);
  ModelGrades& grades = GradesOf(all, maker, model);
  grades.scores.Set(dimension, OrNull(grade.score));
  if (!grade.reasoning.empty()) grades.reasons.Set(dimension, std::move(grade.reasoning));
}

std::vector<ModelGrades> AllGrades(std::string_view text) {
  constexpr std::string_view kOpening = "<grade";
  constexpr std::string_view kClosing = "</grade>";
  std::vector<ModelGrades> all;
  for (std::size_t at = text.find(kOpening); at != std::string_view::npos; at = text.find(kOpening, at)) {
    const std::size_t attributes = at + kOpening.size();
    const std::size_t inner = text.find('>', attributes);
    if (inner == std::string_view::npos) break;
    if (inner < attributes + 2 || !IsJsSpace(DecodeUtf8(text, attributes).code_point)) {
      at = attributes;
      continue;
    }
    const std::size_t end = text.find(kClosing, inner);
    if (end == std::string_view::npos) break;
    at = end + kClosing.size();
    AddGrade(text.substr(attributes, inner - attributes),
             std::string(text.substr(inner + 1, end - inner - 1)), all);
  }
  return all;
}

Value GradesValue(const ModelGrades& grades, const OpaqueNames::Entry& entry) {
  Map scores;
  for (const GradeDimension& dimension : kDimensions) {
    const Value* score = grades.scores.Find(dimension.key);
    scores.Append(std::string(dimension.key), score != nullptr ? *score : Value(Null{}));
  }
  return Object{{"modelId", ParseModelName(entry.variant_id).base},
                {"grades", std::move(scores)},
                {"reasoning", UnlessEmpty(grades.reasons)}};
}

}  // namespace

std::optional<double> GradeNumber(std::string_view text) {
  const auto* start = std::find_if(text.begin(), text.end(), IsAsciiDigit<char>);
  if (start == text.end()) return std::nullopt;
  const auto* end = std::find_if_not(start, text.end(), IsAsciiDigit<char>);
  if (end != text.end() && *end == '.' && end + 1 != text.end() && IsAsciiDigit(end[1])) {
    end = std::find_if_not(end + 1, text.end(), IsAsciiDigit<char>);
  }
  double number = 0;
  const auto [read, error] = std::from_chars(start, end, number, std::chars_format::fixed);
  if (error == std::errc::result_out_of_range) number = std::numeric_limits<double>::infinity();
  return number <= 10 ? number : number / 10;
}

Grade ParseGrade(std::string_view text) {
  constexpr std::string_view kReasoning = "REASONING:";
  constexpr std::string_view kScore = "SCORE:";
  Grade grade;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = JsTrim(text.substr(start, end - start));
    start = end + 1;
    if (StartsWithIgnoringCase(line, kReasoning)) {
      grade.reasoning = JsTrim(line.substr(kReasoning.size()));
    } else if (StartsWithIgnoringCase(line, kScore)) {
      const std::string_view given = JsTrim(line.substr(kScore.size()));
      const std::string upper = JsToUpper(given);
      if (upper == "N/A" || upper == "NA") {
        grade.score = std::nullopt;
      } else if (const auto number = GradeNumber(given)) {
        grade.score = number;
      }
    }
  }
  return grade;
}

std::span<const GradeDimension> GradeDimensions() { return kDimensions; }

Value ParseSummary(std::string_view reply, const OpaqueNames& names) {
  const std::string text = names.Reveal(reply);
  Map summary = Object{{"keyFindings", ContentsOf(text, "key_finding")},
                       {"strengths", ContentsOf(text, "strength")},
                       {"weaknesses", ContentsOf(text, "weakness")},
                       {"patterns", ContentsOf(text, "pattern")}};
  List grades;
  for (const ModelGrades& model : AllGrades(reply)) {
    const OpaqueNames::Entry* entry = names.FindModel(model.maker, model.model);
    if (entry != nullptr) grades.push_back(GradesValue(model, *entry));
  }
  if (!grades.empty()) summary.Append("grades", std::move(grades));
  if (List topics = TopicsOf(text); !topics.empty()) summary.Append("autoTags", std::move(topics));
  return summary;
}

}  // namespace assay::blueprint
