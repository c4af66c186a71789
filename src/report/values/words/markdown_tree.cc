// Builds the tree from md4c's blocks and spans, from a table of their names.
#include "report/values/words/markdown_tree.h"

#include <md4c.h>

#include <charconv>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/text/utf8.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr unsigned kDocumentFlags = MD_FLAG_NOINDENTEDCODEBLOCKS | MD_FLAG_PERMISSIVEURLAUTOLINKS |
                                    MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS;
constexpr unsigned kFlags = kDocumentFlags | MD_FLAG_NOHTML;
constexpr std::size_t kDepthMax = 24;       // of blocks and spans in each other
constexpr std::size_t kNodesMax = 100'000;  // md4c makes much of few bytes in some tables

// Any other reference is shown as it was written.
constexpr std::pair<std::string_view, std::string_view> kNamed[] = {
    {"&amp;", "&"},        {"&lt;", "<"},         {"&gt;", ">"},        {"&quot;", "\""},
    {"&apos;", "'"},       {"&nbsp;", "\u00a0"},  {"&copy;", "\u00a9"}, {"&ndash;", "\u2013"},
    {"&mdash;", "\u2014"}, {"&hellip;", "\u2026"}};

std::string TextOfReference(std::string_view reference) {
  for (const auto& [name, text] : kNamed) {
    if (reference == name) return std::string(text);
  }
  if (!reference.starts_with("&#")) return std::string(reference);
  const bool is_hex = reference.size() > 2 && (reference[2] == 'x' || reference[2] == 'X');
  const std::string_view digits = reference.substr(is_hex ? 3 : 2);
  std::uint32_t code = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, is_hex ? 16 : 10);
  const bool is_character =
      error == std::errc() && code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  if (!is_character) return std::string(reference);
  std::string text;
  AppendUtf8(code, text);
  return text;
}

std::string TextOf(const MD_ATTRIBUTE& attribute) {
  std::string text;
  for (std::size_t i = 0; attribute.text != nullptr && attribute.substr_offsets[i] < attribute.size; ++i) {
    const std::size_t begin = attribute.substr_offsets[i];
    const std::string_view part(attribute.text + begin, attribute.substr_offsets[i + 1] - begin);
    text += attribute.substr_types[i] == MD_TEXT_ENTITY ? TextOfReference(part) : std::string(part);
  }
  return text;
}

Map One(std::string name, Value value) { return Object{{std::move(name), std::move(value)}}; }

std::string_view AlignName(MD_ALIGN align) {
  switch (align) {
    case MD_ALIGN_LEFT:
      return "left";
    case MD_ALIGN_CENTER:
      return "center";
    case MD_ALIGN_RIGHT:
      return "right";
    default:
      return "";
  }
}

Map AlignOf(const void* detail) {
  const std::string_view align = AlignName(static_cast<const MD_BLOCK_TD_DETAIL*>(detail)->align);
  return align.empty() ? Map() : One("align", align);
}

// A name ("": its children stand in its parent's place), and its attributes.
struct Node {
  std::string name;
  Map attributes = {};
};

Node BlockNode(MD_BLOCKTYPE type, const void* detail) {
  switch (type) {
    case MD_BLOCK_DOC:
    case MD_BLOCK_HTML:
      return {""};
    case MD_BLOCK_QUOTE:
      return {"blockquote"};
    case MD_BLOCK_UL:
      return {"ul"};
    case MD_BLOCK_OL: {
      const unsigned start = static_cast<const MD_BLOCK_OL_DETAIL*>(detail)->start;
      return {"ol", start == 1 ? Map() : One("start", static_cast<double>(start))};
    }
    case MD_BLOCK_LI: {
      const auto& item = *static_cast<const MD_BLOCK_LI_DETAIL*>(detail);
      return {"li", item.is_task == 0 ? Map() : One("done", item.task_mark != ' ')};
    }
    case MD_BLOCK_HR:
      return {"hr"};
    case MD_BLOCK_H:
      return {"h" + std::to_string(static_cast<const MD_BLOCK_H_DETAIL*>(detail)->level)};
    case MD_BLOCK_CODE: {
      const std::string lang = TextOf(static_cast<const MD_BLOCK_CODE_DETAIL*>(detail)->lang);
      return {"pre", lang.empty() ? Map() : One("lang", lang)};
    }
    case MD_BLOCK_P:
      return {"p"};
    case MD_BLOCK_TABLE:
      return {"table"};
    case MD_BLOCK_THEAD:
      return {"thead"};
    case MD_BLOCK_TBODY:
      return {"tbody"};
    case MD_BLOCK_TR:
      return {"tr"};
    case MD_BLOCK_TH:
      return {"th", AlignOf(detail)};
    case MD_BLOCK_TD:
      return {"td", AlignOf(detail)};
  }
  return {""};
}

Node SpanNode(MD_SPANTYPE type, const void* detail) {
  switch (type) {
    case MD_SPAN_EM:
      return {"em"};
    case MD_SPAN_STRONG:
      return {"strong"};
    case MD_SPAN_CODE:
      return {"code"};
    case MD_SPAN_DEL:
      return {"del"};
    case MD_SPAN_A:
      return {"a", One("href", TextOf(static_cast<const MD_SPAN_A_DETAIL*>(detail)->href))};
    case MD_SPAN_IMG:
      return {"img", One("src", TextOf(static_cast<const MD_SPAN_IMG_DETAIL*>(detail)->src))};
    default:
      return {""};  // extensions that are not asked for
  }
}

class TreeBuilder {
 public:
  TreeBuilder(std::string_view source, std::size_t bytes_max) : source_(source), bytes_max_(bytes_max) {}

  // What callbacks answer: kStop ends the parse, but md4c 0.4.8 does not tell of it where blocks are nested.
  enum Verdict : int { kGoOn = 0, kStop = 1 };

  Verdict Enter(int type, Node node) {
    for (const Member& each : node.attributes)
      bytes_ += each.value.is_string() ? each.value.AsString().size() : 0;
    is_stopped_ = is_stopped_ || open_.size() > kDepthMax || ++nodes_ > kNodesMax || bytes_ > bytes_max_;
    if (is_stopped_) return kStop;
    List list;
    if (!node.name.empty()) list.emplace_back(std::move(node.name));
    if (!node.attributes.empty()) list.emplace_back(std::move(node.attributes));
    open_.push_back({type, std::move(list)});
    return kGoOn;
  }

  // md4c does not leave everything in the order in which it was entered, in rare forms of marks (fuzz).
  Verdict Leave(int type) {
    is_stopped_ = is_stopped_ || open_.empty() || open_.back().type != type;
    if (is_stopped_) return kStop;
    Open last = std::move(open_.back());
    open_.pop_back();
    List& parent = open_.empty() ? root_ : open_.back().list;
    if (last.type == MD_BLOCK_DOC || last.type == MD_BLOCK_HTML) {
      for (Value& child : last.list) parent.push_back(std::move(child));
    } else {
      parent.emplace_back(std::move(last.list));
    }
    return kGoOn;
  }

  Verdict Text(MD_TEXTTYPE type, std::string_view text) {
    if (is_stopped_ || open_.empty()) return kStop;
    if (type == MD_TEXT_HTML) return kGoOn;
    List& list = open_.back().list;
    if (type == MD_TEXT_BR) {
      list.emplace_back(List{Value("br")});
      return kGoOn;
    }
    std::string added = type == MD_TEXT_SOFTBR     ? std::string("\n")
                        : type == MD_TEXT_ENTITY   ? TextOfReference(text)
                        : type == MD_TEXT_NULLCHAR ? std::string(1, '\0')
                                                   : std::string(text);
    const std::size_t bytes = added.size();
    // The first text of a list is its name.
    const bool joins = has_text_ == list.size() && list.size() > 1 && list.back().is_string();
    if (joins) {
      list.back() = Value(list.back().AsString() + added);
    } else {
      list.emplace_back(std::move(added));
      ++nodes_;
    }
    has_text_ = list.size();
    if (!joins) places_.emplace_back(List());
    Place(text, bytes);
    return nodes_ > kNodesMax ? kStop : kGoOn;
  }

  bool IsWhole() const { return !is_stopped_ && open_.empty() && nodes_ <= kNodesMax; }
  PlacedMarkdown Take() { return {.tree = std::move(root_), .places = std::move(places_)}; }
  void EndText() { has_text_ = 0; }

 private:
  struct Open {
    int type;
    List list;
  };

  // Adds to the places of the last text: `bytes` of it were made of this part of the source. md4c's own words
  // (a line's end) come from behind the part before.
  void Place(std::string_view part, std::size_t bytes) {
    const std::less_equal<> before;
    const bool is_of_source = before(source_.data(), part.data()) &&
                              before(part.data() + part.size(), source_.data() + source_.size());
    const std::size_t from = is_of_source ? static_cast<std::size_t>(part.data() - source_.data()) : end_;
    end_ = from + part.size();
    List& places = places_.back().AsList();
    if (places.size() > 1) {
      const double last = places[places.size() - 2].AsNumber();
      if (places.back().AsNumber() + last == static_cast<double>(from)) {
        places[places.size() - 2] = Value(last + static_cast<double>(bytes));
        return;
      }
    }
    places.emplace_back(static_cast<double>(bytes));
    places.emplace_back(static_cast<double>(from));
  }

  std::string_view source_;
  std::size_t end_ = 0;  // of the part of the source that was read last
  std::size_t bytes_max_;
  List root_;
  List places_;
  std::vector<Open> open_;
  std::size_t nodes_ = 0;
  std::size_t bytes_ = 0;     // of addresses: a definition may be used many times
  std::size_t has_text_ = 0;  // size of the open list after a text that the next one may be joined to
  bool is_stopped_ = false;
};

constexpr int kSpans = 1'000;  // tells types of spans from those of blocks

PlacedMarkdown NoTree() { return {.tree = Null{}, .places = Null{}}; }

PlacedMarkdown Parsed(std::string_view text, unsigned flags) {
  MD_PARSER parser{};
  parser.flags = flags;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* to) -> int {
    static_cast<TreeBuilder*>(to)->EndText();
    return static_cast<TreeBuilder*>(to)->Enter(type, BlockNode(type, detail));
  };
  parser.leave_block = [](MD_BLOCKTYPE type, void*, void* to) -> int {
    static_cast<TreeBuilder*>(to)->EndText();
    return static_cast<TreeBuilder*>(to)->Leave(type);
  };
  parser.enter_span = [](MD_SPANTYPE type, void* detail, void* to) -> int {
    static_cast<TreeBuilder*>(to)->EndText();
    return static_cast<TreeBuilder*>(to)->Enter(kSpans + type, SpanNode(type, detail));
  };
  parser.leave_span = [](MD_SPANTYPE type, void*, void* to) -> int {
    static_cast<TreeBuilder*>(to)->EndText();
    return static_cast<TreeBuilder*>(to)->Leave(kSpans + type);
  };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* bytes, MD_SIZE size, void* to) -> int {
    return static_cast<TreeBuilder*>(to)->Text(type, {bytes, size});
  };
  constexpr std::size_t kGrowthMax = 24;
  TreeBuilder builder(text, text.size() * kGrowthMax);
  const int result = md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, &builder);
  return result == 0 && builder.IsWhole() ? builder.Take() : NoTree();
}

}  // namespace

Value MarkdownTree(std::string_view text) { return PlaceMarkdown(text).tree; }

Value DocumentTree(std::string_view text) { return Parsed(text, kDocumentFlags).tree; }

PlacedMarkdown PlaceMarkdown(std::string_view text) {
  return text.size() > kMarkdownTreeBytesMax ? NoTree() : Parsed(text, kFlags);
}

}  // namespace assay
