// Converts libyaml's events and problems, and repairs what js-yaml would accept.
#include "text/yaml/stream.h"

#include <yaml.h>

#include <string_view>
#include <utility>

#include "base/errors/assert.h"
#include "text/yaml/problem.h"
#include "text/yaml/slips/slip.h"

namespace assay {

namespace {

// Most nodes have no anchor and no tag; `to` is empty by then.
void Assign(std::string& to, const yaml_char_t* from) {
  if (from != nullptr) to = reinterpret_cast<const char*>(from);
}

YamlStyle StyleOf(yaml_scalar_style_t style) {
  switch (style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE:
      return YamlStyle::kSingleQuoted;
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE:
      return YamlStyle::kDoubleQuoted;
    case YAML_LITERAL_SCALAR_STYLE:
    case YAML_FOLDED_SCALAR_STYLE:
      return YamlStyle::kBlock;
    default:
      return YamlStyle::kPlain;
  }
}

void Convert(const yaml_event_t& from, YamlEvent& to) {
  switch (from.type) {
    case YAML_DOCUMENT_START_EVENT:
      to.kind = YamlEventKind::kDocumentStart;
      break;
    case YAML_DOCUMENT_END_EVENT:
      to.kind = YamlEventKind::kDocumentEnd;
      break;
    case YAML_ALIAS_EVENT:
      to.kind = YamlEventKind::kAlias;
      Assign(to.anchor, from.data.alias.anchor);
      break;
    case YAML_SCALAR_EVENT: {
      const auto& scalar = from.data.scalar;
      to.kind = YamlEventKind::kScalar;
      Assign(to.anchor, scalar.anchor);
      Assign(to.tag, scalar.tag);
      to.text.assign(reinterpret_cast<const char*>(scalar.value), scalar.length);
      to.style = StyleOf(scalar.style);
      to.implicit = scalar.plain_implicit != 0;
      break;
    }
    case YAML_SEQUENCE_START_EVENT:
      to.kind = YamlEventKind::kListStart;
      Assign(to.anchor, from.data.sequence_start.anchor);
      Assign(to.tag, from.data.sequence_start.tag);
      to.flow = from.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
      break;
    case YAML_SEQUENCE_END_EVENT:
      to.kind = YamlEventKind::kListEnd;
      break;
    case YAML_MAPPING_START_EVENT:
      to.kind = YamlEventKind::kMapStart;
      Assign(to.anchor, from.data.mapping_start.anchor);
      Assign(to.tag, from.data.mapping_start.tag);
      to.flow = from.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
      break;
    case YAML_MAPPING_END_EVENT:
      to.kind = YamlEventKind::kMapEnd;
      break;
    default:
      to.kind = YamlEventKind::kStreamEnd;
      break;
  }
}

constexpr std::string_view kBadName = "did not find expected alphabetic or numeric character";

YamlRepair RepairOf(std::string_view reason, std::string_view text, Span where, Span context) {
  const auto at = [text](Span place) { return place.offset < text.size() ? text[place.offset] : '\0'; };
  if (reason == "found unexpected ':'") return YamlRepair::kColon;
  if (reason == "did not find expected <document start>") return YamlRepair::kDocument;
  if (reason == kBadName) return YamlRepair::kAnchor;
  if (reason == "did not find expected node content") return YamlRepair::kTextMark;
  if (at(where) != '\t') return YamlRepair::kNone;
  if (reason == "found a tab character where an indentation space is expected") {
    // In a folded block the tab decides how lines are joined, so only literal ones can keep it as text.
    return at(context) == '|' ? YamlRepair::kTextTab : YamlRepair::kNone;
  }
  const bool is_blank = reason == "found character that cannot start any token" ||
                        reason == "found a tab character that violates indentation";
  return is_blank ? YamlRepair::kBlankTab : YamlRepair::kNone;
}

}  // namespace

struct YamlStream::Parser {
  Parser() { ASSAY_ASSERT(yaml_parser_initialize(&yaml) != 0); }
  ~Parser() { yaml_parser_delete(&yaml); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  yaml_parser_t yaml;
};

YamlStream::YamlStream(const YamlSource& source) : source_(source), parser_(std::make_unique<Parser>()) {
  const std::string_view text = source.Prepared();
  yaml_parser_set_encoding(&parser_->yaml, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser_->yaml, reinterpret_cast<const unsigned char*>(text.data()),
                               text.size());
}

YamlStream::~YamlStream() = default;

void YamlStream::Next(YamlEvent& event) {
  if (ended_) return;
  event.anchor.clear();
  event.tag.clear();
  yaml_event_t from;
  do {
    if (yaml_parser_parse(&parser_->yaml, &from) == 0) {
      ended_ = true;
      event.kind = YamlEventKind::kProblem;
      SetProblem();
      return;
    }
  } while (from.type == YAML_STREAM_START_EVENT);
  Convert(from, event);
  event.index = from.start_mark.index;
  event.span = source_.SpanOf(from.start_mark.index, from.end_mark.index);
  ended_ = event.kind == YamlEventKind::kStreamEnd;
  yaml_event_delete(&from);
  if (event.anchor.empty()) return;
  event.anchor = source_.AnchorName(event.anchor);
  if (ReadsAnchorAsMeant(event)) return;
  ended_ = true;
  event.kind = YamlEventKind::kProblem;
}

// libyaml ends a name at "?", ":" and a few others, js-yaml at white space and brackets only.
bool YamlStream::ReadsAnchorAsMeant(const YamlEvent& event) {
  const std::string_view written = source_.AnchorAt(event.span.offset);
  if (written.empty() || written == event.anchor) return true;
  const YamlMessage words = YamlMessageFor(kBadName, "");
  problem_ = {.diagnostic = {Severity::kError, "yaml.syntax", std::string(words.message),
                             std::string(words.hint), event.span},
              .index = event.index,
              .repair = YamlRepair::kAnchor};
  return false;
}

void YamlStream::SetProblem() {
  const yaml_parser_t& yaml = parser_->yaml;
  const std::string_view original = source_.Original();
  problem_.diagnostic.severity = Severity::kError;
  if (yaml.error == YAML_READER_ERROR) {
    problem_.diagnostic = source_.EncodingProblem();
    return;
  }
  const std::string_view reason = yaml.problem == nullptr ? "" : yaml.problem;
  // An open quotation mark is noticed at the end of the file, which helps nobody.
  const bool at_context = reason == "found unexpected end of stream" ||
                          reason == "found unexpected document indicator" || reason == kBadName;
  problem_.index = (at_context ? yaml.context_mark : yaml.problem_mark).index;
  Span where = source_.SpanOf(problem_.index, problem_.index + 1);
  const YamlMessage words = YamlMessageFor(reason, original.substr(where.offset));
  problem_.repair =
      RepairOf(reason, original, where, source_.SpanOf(yaml.context_mark.index, yaml.context_mark.index + 1));
  problem_.diagnostic.code = "yaml.syntax";
  problem_.diagnostic.message = words.message;
  problem_.diagnostic.hint = words.hint;
  problem_.diagnostic.where = where;
  std::optional<YamlSlip> slip = FindYamlSlip(original, where.offset);
  if (!slip) return;
  problem_.diagnostic.message = std::move(slip->message);
  problem_.diagnostic.hint = std::move(slip->hint);
  problem_.diagnostic.where = source_.Place(static_cast<std::uint32_t>(slip->offset),
                                            static_cast<std::uint32_t>(slip->offset + slip->length));
}

}  // namespace assay
