// The composer: turns libyaml's events into values with places, expands aliases within limits; one for both
// sets of typing rules.
#include "text/yaml/yaml.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/limits.h"
#include "text/limits.h"
#include "text/yaml/map.h"
#include "text/yaml/problem.h"
#include "text/yaml/schema.h"
#include "text/yaml/slips/marks.h"
#include "text/yaml/source.h"
#include "text/yaml/stream.h"

namespace assay {

namespace {

constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";
// What one node of an expanded alias may weigh; longer texts count as several nodes, so that an alias bomb
// cannot hide its size in one long text.
constexpr std::size_t kBytesPerNode = 64;

struct Weight {
  std::size_t node_count = 0;
  std::size_t height = 0;  // levels of collections
};

// Depth is bounded by kYamlDepthMax, because only composed values come here.
Weight Weigh(const Value& value) {
  Weight weight{1, 0};
  const auto add = [&weight](const Value& child) {
    const Weight inner = Weigh(child);
    weight.node_count += inner.node_count;
    weight.height = std::max(weight.height, inner.height);
  };
  if (value.is_string()) weight.node_count += value.AsString().size() / kBytesPerNode;
  if (value.kind() == ValueKind::kBinary) weight.node_count += value.AsBinary().bytes.size() / kBytesPerNode;
  if (value.is_list()) {
    for (const Value& element : value.AsList()) add(element);
    ++weight.height;
  }
  if (value.is_map()) {
    for (const Member& member : value.AsMap()) {
      weight.node_count += 1 + member.key.size() / kBytesPerNode;
      add(member.value);
    }
    ++weight.height;
  }
  return weight;
}

class Composer {
 public:
  Composer(const YamlSource& source, const YamlSchema& schema, Diagnostics& diagnostics)
      : source_(source), schema_(schema), diagnostics_(diagnostics), stream_(source) {}

  // All documents up to the first problem that ends the reading.
  void Run(std::vector<Value>& documents);
  // What ended the reading, in case the caller can do something about it.
  YamlRepair Repair(std::size_t& index) const {
    if (mark_index_) {
      index = *mark_index_;
      return YamlRepair::kTextMark;
    }
    if (event_.kind != YamlEventKind::kProblem) return YamlRepair::kNone;
    index = stream_.Problem().index;
    return stream_.Problem().repair;
  }

 private:
  struct Anchor {
    Value value;
    Weight weight;
    bool is_complete = false;
  };

  void Next();
  // Each reads from its first event to its last, leaving the next event in event_. They return early once
  // stopped_.
  Value Node(std::size_t depth);
  Value Alias(std::size_t depth);
  Value Scalar();
  Value Implicit(Span span);
  void RestoreText();
  void RestoreTrailingBlanks();
  Value Collection(std::size_t depth);
  void Elements(std::size_t depth, List& list);
  Map Members(std::size_t depth);
  void MergeInto(YamlMapBuilder& map, const Value& source);

  bool IsImplicit() const { return event_.implicit && (event_.tag.empty() || schema_.is_bang_implicit); }
  bool IsMergeKey() const {
    return event_.kind == YamlEventKind::kScalar && IsImplicit() && event_.text == "<<";
  }
  bool Charge(std::size_t node_count, Span where);
  void CheckIndent();
  void CheckDash();
  void CheckQuestionMark();
  void StopAtTab(std::uint32_t byte);
  void ApplyTag(const std::string& tag, Value& content);
  void SetAnchor(const std::string& name);
  void KeepAnchor(const std::string& name, const Value& value);
  void Stop(std::string code, std::string message, Span where, std::string hint);
  void Error(std::string code, std::string message, Span where, std::string hint) {
    diagnostics_.Error(std::move(code), std::move(message), where, std::move(hint));
  }

  const YamlSource& source_;
  const YamlSchema& schema_;
  Diagnostics& diagnostics_;
  YamlStream stream_;
  YamlEvent event_;
  std::map<std::string, Anchor, std::less<>> anchors_;  // of the current document
  std::size_t node_count_ = 0;
  std::uint32_t content_end_ = 0;          // byte behind the last scalar or closing bracket
  std::optional<std::size_t> mark_index_;  // of a "?" that may be text, which ended the reading
  bool stopped_ = false;
};

void Composer::Run(std::vector<Value>& documents) {
  for (Next(); !stopped_ && event_.kind == YamlEventKind::kDocumentStart; Next()) {
    if (documents.size() == limits::kYamlDocumentsMax) {
      Stop("yaml.limit", fmt::format("more than {} documents in one file", limits::kYamlDocumentsMax),
           event_.span, "split the file");
      return;
    }
    anchors_.clear();
    Next();
    Value document = Node(0);
    if (stopped_) return;
    documents.push_back(std::move(document));
  }
}

void Composer::Next() {
  stream_.Next(event_);
  if (event_.kind != YamlEventKind::kProblem) return;
  stopped_ = true;
  Diagnostic problem = stream_.Problem().diagnostic;
  if (const std::uint32_t* tab = source_.HiddenTabBefore(problem.where.offset)) {
    const YamlMessage words = TabMessage();
    problem.message = words.message;
    problem.hint = words.hint;
    problem.where = source_.Place(*tab, *tab + 1);
  }
  const std::string_view before = source_.Original().substr(0, problem.where.offset);
  const std::size_t line = before.rfind('\n') + 1;  // npos + 1 is the start
  const std::string_view text = source_.Original().substr(line);
  if (const std::string_view mark = TypographicMarkIn(text.substr(0, text.find('\n'))); !mark.empty()) {
    problem.message += fmt::format("; the typographic {} is no quote of YAML", mark);
    problem.hint = "write straight quotes, \" or '";
  }
  diagnostics_.Add(std::move(problem));
}

void Composer::Stop(std::string code, std::string message, Span where, std::string hint) {
  Error(std::move(code), std::move(message), where, std::move(hint));
  stopped_ = true;
}

bool Composer::Charge(std::size_t node_count, Span where) {
  node_count_ += node_count;
  if (node_count_ <= limits::kYamlNodesMax) return true;
  Stop("yaml.limit", fmt::format("more than {} nodes in one file, aliases expanded", limits::kYamlNodesMax),
       where, "split the file, or use fewer aliases");
  return false;
}

// A tab that was let pass may stand before a text, but not before an entry of a block.
void Composer::CheckIndent() {
  if (!source_.HidesTabs() || stopped_) return;
  if (const std::uint32_t* tab = source_.HiddenTabBefore(event_.span.offset)) {
    StopAtTab(*tab);
  }
}

// The same for the "-" of a list's entry, which stands before the entry's own place.
void Composer::CheckDash() {
  if (!source_.HidesTabs() || stopped_) return;
  const std::uint32_t* tab = source_.HiddenTabBefore(event_.span.offset);
  if (tab == nullptr) return;
  const std::string_view between = source_.Original().substr(*tab, event_.span.offset - *tab);
  const std::size_t next = between.find_first_not_of(" \t");
  if (next != std::string_view::npos && between[next] == '-') StopAtTab(*tab);
}

void Composer::StopAtTab(std::uint32_t byte) {
  const YamlMessage words = TabMessage();
  Stop("yaml.syntax", std::string(words.message), source_.Place(byte, byte + 1), std::string(words.hint));
}

// Between brackets libyaml takes "?a" for a key "a", js-yaml for a text.
void Composer::CheckQuestionMark() {
  if (source_.Rules() != YamlRules::kJsYaml || event_.span.offset == 0) return;
  if (event_.span.length == 0 || source_.Original()[event_.span.offset - 1] != '?') return;
  Stop("yaml.syntax", "\"?\" at the start of a text between brackets", event_.span, "put the text in quotes");
  mark_index_ = event_.index - 1;
}

Value Composer::Node(std::size_t depth) {
  if (stopped_ || !Charge(1, event_.span)) return Value(Null{});
  if (event_.kind == YamlEventKind::kAlias) return Alias(depth);
  const std::string anchor = std::move(event_.anchor);
  if (!anchor.empty()) SetAnchor(anchor);
  Value value = event_.kind == YamlEventKind::kScalar ? Scalar() : Collection(depth);
  if (!anchor.empty() && !stopped_) KeepAnchor(anchor, value);
  return value;
}

void Composer::SetAnchor(const std::string& name) {
  const bool is_new = anchors_.insert_or_assign(name, Anchor{}).second;
  if (is_new || !schema_.are_anchors_unique) return;
  Error("yaml.alias", fmt::format("the anchor {} is set twice in one document", Quoted("&" + name)),
        event_.span, "rename one of the two");
}

void Composer::KeepAnchor(const std::string& name, const Value& value) {
  const Weight weight = Weigh(value);
  if (Charge(weight.node_count, value.span)) anchors_[name] = Anchor{value, weight, true};
}

Value Composer::Alias(std::size_t depth) {
  const Span span = event_.span;
  content_end_ = span.offset + span.length;
  const auto found = anchors_.find(event_.anchor);
  Value value = Null{};
  if (found == anchors_.end()) {
    Error("yaml.alias", fmt::format("no anchor {} comes before this alias", Quoted("&" + event_.anchor)),
          span, "set the anchor earlier in the same document, or quote a text that begins with \"*\"");
  } else if (!found->second.is_complete) {
    Error("yaml.alias",
          fmt::format("this alias is inside the value that it refers to, {}", Quoted("&" + event_.anchor)),
          span, "an endless value cannot be read; refer to something that ends before the alias");
  } else if (depth + found->second.weight.height > limits::kYamlDepthMax) {
    Stop("yaml.limit", fmt::format("aliases nest collections more than {} deep", limits::kYamlDepthMax), span,
         "flatten the data");
  } else if (Charge(found->second.weight.node_count, span)) {
    value = found->second.value;
  }
  value.span = span;
  Next();
  return value;
}

Value Composer::Scalar() {
  Span span = event_.span;
  if (event_.style == YamlStyle::kBlock) {
    // libyaml's mark is behind the empty lines that follow.
    const std::string_view text = source_.Original().substr(span.offset, span.length);
    span.length = static_cast<std::uint32_t>(text.find_last_not_of(" \t\r\n") + 1);
  }
  content_end_ = span.offset + span.length;
  RestoreText();
  Value value;
  if (IsImplicit()) {
    value = Implicit(span);
  } else {
    const bool is_empty = event_.style == YamlStyle::kPlain && event_.text.empty();
    value = is_empty ? Value(Null{}) : Value(std::move(event_.text));
    value.span = span;
    ApplyTag(event_.tag, value);
  }
  value.span = span;
  Next();
  return value;
}

// The scalar's text as its owner reads it.
void Composer::RestoreText() {
  const bool quoted = event_.style == YamlStyle::kSingleQuoted || event_.style == YamlStyle::kDoubleQuoted;
  if (quoted && source_.Rules() == YamlRules::kJsYaml) RestoreTrailingBlanks();
  if (!source_.Restore(event_.style, event_.text)) {
    Error("yaml.encoding", "this text contains a control character", event_.span,
          "remove it, or write it as an escape in double quotes");
  }
  if (event_.style != YamlStyle::kPlain || !source_.HidesTabs()) return;
  if (const std::uint32_t* tab = source_.HiddenTabBeforeTextIn(event_.span)) StopAtTab(*tab);
}

// Where a quoted text goes on in the next line, js-yaml keeps the blanks at the end of the line and libyaml
// drops them. Such a text is read again by itself, its blanks shown as characters that are no blanks.
void Composer::RestoreTrailingBlanks() {
  const char quote = event_.style == YamlStyle::kSingleQuoted ? '\'' : '"';
  std::string_view text = source_.Original().substr(event_.span.offset, event_.span.length);
  const bool has_trailing_blanks = text.find(" \n") != text.npos || text.find("\t\n") != text.npos ||
                                   text.find(" \r") != text.npos || text.find("\t\r") != text.npos;
  if (!has_trailing_blanks) return;
  text.remove_prefix(std::min(text.find(quote), text.size()));
  YamlSource part(FileId::kNone, text, source_.Rules());
  part.KeepTrailingBlanks();
  YamlStream stream(part);
  YamlEvent event;
  do {
    stream.Next(event);
  } while (event.kind == YamlEventKind::kDocumentStart);
  if (event.kind != YamlEventKind::kScalar || !part.Restore(event.style, event.text)) return;
  event_.text = std::move(event.text);
}

Value Composer::Implicit(Span span) {
  std::optional<Value> typed = schema_.plain(std::move(event_.text));
  if (typed) return std::move(*typed);
  const std::string_view text = source_.Original().substr(span.offset, span.length);
  Error("yaml.value", fmt::format("{} has the form of a special value but is none", Quoted(text)), span,
        "correct it, or put it in quotes if it is a text");
  return Null{};
}

void Composer::ApplyTag(const std::string& tag, Value& content) {
  if (tag.empty() || tag == "!") return;
  const Span span = content.span;
  const std::string_view kind = KindName(content);
  const bool is_standard = tag.starts_with(kTagPrefix);
  const std::string shown = is_standard ? "!!" + tag.substr(kTagPrefix.size()) : tag;
  const TagFit fit = is_standard ? schema_.tagged(std::string_view(tag).substr(kTagPrefix.size()), content)
                                 : TagFit::kUnknown;
  if (fit == TagFit::kUnknown) {
    Error("yaml.tag", fmt::format("unknown tag {}", Quoted(shown)), span,
          "remove it, or quote the text if \"!\" belongs to it");
  } else if (fit == TagFit::kMisfit) {
    Error("yaml.tag", fmt::format("the tag {} does not fit this value ({})", Quoted(shown), kind), span,
          "correct the value or remove the tag");
  }
  if (fit != TagFit::kFits) content = Null{};
  content.span = span;
}

Value Composer::Collection(std::size_t depth) {
  const bool is_list = event_.kind == YamlEventKind::kListStart;
  const bool is_flow = event_.flow;
  const Span start = event_.span;
  const std::string tag = std::move(event_.tag);
  if (depth == limits::kYamlDepthMax) {
    Stop("yaml.limit", fmt::format("collections nest more than {} deep", limits::kYamlDepthMax), start,
         "flatten the data, or close the brackets");
    return Null{};
  }
  if (!is_flow) CheckIndent();
  Next();
  Value value;
  if (is_list) {
    value = List{};
    Elements(depth + 1, value.AsList());
  } else {
    value = Members(depth + 1);
  }
  if (stopped_) return Null{};
  if (is_flow) content_end_ = event_.span.offset + event_.span.length;
  value.span = source_.Place(start.offset, std::max(content_end_, start.offset));
  ApplyTag(tag, value);
  Next();
  return value;
}

void Composer::Elements(std::size_t depth, List& list) {
  while (!stopped_ && event_.kind != YamlEventKind::kListEnd) {
    CheckDash();
    list.push_back(Node(depth));
  }
}

Map Composer::Members(std::size_t depth) {
  YamlMapBuilder map(schema_, diagnostics_);
  while (!stopped_ && event_.kind != YamlEventKind::kMapEnd) {
    CheckIndent();
    CheckQuestionMark();
    const bool is_merge = IsMergeKey();
    const bool is_plain_equals =
        event_.kind == YamlEventKind::kScalar && event_.implicit && event_.text == "=";
    if (is_merge || is_plain_equals) event_.implicit = false;  // special as values only
    const Value key = Node(depth);
    if (stopped_) break;
    if (is_merge) {
      MergeInto(map, Node(depth));
      continue;
    }
    std::optional<std::string> text = schema_.key_text(key);
    if (!text) {
      Error("yaml.key", fmt::format("{} cannot be a key", KindName(key)), key.span, "use a text as the key");
    }
    Value value = Node(depth);
    if (text && !stopped_) map.Add(std::move(*text), std::move(value), key.span);
  }
  return map.Finish();
}

void Composer::MergeInto(YamlMapBuilder& map, const Value& source) {
  if (stopped_) return;
  const auto merge = [&](const Value& one) {
    if (one.is_map()) {
      map.Merge(one.AsMap());
    } else {
      Error("yaml.merge", fmt::format("expected a mapping to merge, found {}", KindName(one)), one.span,
            "behind \"<<\" comes an alias of a mapping or a list of such");
    }
  };
  if (!source.is_list()) {
    merge(source);
  } else if (schema_.are_merged_keys_first) {
    std::for_each(source.AsList().rbegin(), source.AsList().rend(), merge);
  } else {
    std::for_each(source.AsList().begin(), source.AsList().end(), merge);
  }
}

bool Refuse(const YamlSource& source, Diagnostics& diagnostics) {
  if (source.Original().size() > limits::kInputFileBytesMax) {
    diagnostics.Error("yaml.limit",
                      fmt::format("the file is larger than {} bytes", limits::kInputFileBytesMax),
                      source.Place(0, 0), "split it");
    return true;
  }
  if (source.Original().find('\0') == std::string_view::npos) return false;
  diagnostics.Add(source.EncodingProblem());
  return true;
}

// js-yaml yields one empty document for a text of nothing but comments and blank lines, libyaml none.
bool HasEmptyScriptDocument(const YamlSource& source) {
  const std::string_view text = source.Prepared();
  const std::size_t first = text.find_first_not_of(' ');
  return source.Rules() == YamlRules::kJsYaml && first != std::string_view::npos && first + 1 < text.size();
}

// The owners of the formats take what libyaml does not: tabs in some places, a key right before a bracket,
// and so on. Such a thing is shown as something else and the text read again, as long as that stays cheap.
bool Repair(YamlSource& source, YamlRepair repair, std::size_t index, std::size_t& bytes_left) {
  const bool is_of_all = repair == YamlRepair::kTextTab || repair == YamlRepair::kColon;
  if (repair == YamlRepair::kNone || source.Original().size() > bytes_left) return false;
  if (!is_of_all && source.Rules() != YamlRules::kJsYaml) return false;
  bytes_left -= source.Original().size();
  switch (repair) {
    case YamlRepair::kBlankTab:
      source.HideTab(index);
      return true;
    case YamlRepair::kTextTab:
      source.KeepTab(index);
      return true;
    case YamlRepair::kColon:
      return source.SpaceColon(index);
    case YamlRepair::kDocument:
      return source.StartDocument(index);
    case YamlRepair::kAnchor:
      return source.RenameAnchor(index);
    case YamlRepair::kTextMark:
      return source.KeepMark(index);
    case YamlRepair::kNone:
      break;
  }
  return false;
}

}  // namespace

std::vector<Value> ReadYaml(FileId file, std::string_view text, YamlRules rules, Diagnostics& diagnostics) {
  YamlSource source(file, text, rules);
  if (Refuse(source, diagnostics)) return {};
  const YamlSchema& schema = rules == YamlRules::kJsYaml ? JsYamlSchema() : PyYamlSchema();
  std::size_t bytes_left = limits::kYamlRereadMax;
  for (;;) {
    Diagnostics found;
    std::vector<Value> documents;
    Composer composer(source, schema, found);
    composer.Run(documents);
    std::size_t index = 0;
    const YamlRepair repair = composer.Repair(index);
    if (Repair(source, repair, index, bytes_left)) continue;
    if (documents.empty() && !found.HasErrors() && HasEmptyScriptDocument(source))
      documents.push_back(Null{});
    for (const Diagnostic& diagnostic : found.All()) diagnostics.Add(diagnostic);
    return documents;
  }
}

}  // namespace assay
