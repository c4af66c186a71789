// Walks the tree of a document's blocks.
#include "cli/documents/markdown_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "cli/terminal/text_table.h"
#include "engine/words.h"
#include "report/values/words/markdown_tree.h"

namespace assay {

namespace {

constexpr std::size_t kPageColumns = 100;  // where nobody says how wide the window is

// A node is [name, attributes?, child...].
std::string_view NameOf(const Value& node) {
  return node.is_list() ? std::string_view(node.AsList().front().AsString()) : std::string_view();
}
const Map& AttributesOf(const Value& node) {
  static const Map kNone;
  const List& list = node.AsList();
  return list.size() > 1 && list[1].is_map() ? list[1].AsMap() : kNone;
}
std::span<const Value> ChildrenOf(const Value& node) {
  const std::span<const Value> parts = node.AsList();
  return parts.subspan(parts.size() > 1 && parts[1].is_map() ? 2 : 1);
}

bool IsBlock(const Value& node) {
  constexpr std::string_view kBlocks[] = {"p", "ul", "ol", "pre", "table", "blockquote", "hr"};
  const std::string_view name = NameOf(node);
  return std::find(std::begin(kBlocks), std::end(kBlocks), name) != std::end(kBlocks) ||
         (name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6');
}

// Texts and spans without their marks, but for those of code.
std::string InlineText(const Value& node) {
  if (node.is_string()) {
    std::string text = node.AsString();
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  }
  const std::string_view name = NameOf(node);
  if (name == "img") return {};
  if (name == "br") return " ";
  std::string text;
  for (const Value& child : ChildrenOf(node)) text += InlineText(child);
  return name == "code" ? fmt::format("`{}`", text) : text;
}

// Code in a table writes "|" as "\\|", and md4c 0.4.8 leaves it so.
std::string WithoutEscapes(std::string cell) {
  for (std::size_t at = cell.find("\\|"); at != std::string::npos; at = cell.find("\\|", at))
    cell.erase(at, 1);
  return cell;
}

class Pager {
 public:
  explicit Pager(const Screen& screen) : screen_(screen) {
    if (screen_.columns == 0) screen_.columns = kPageColumns;
  }

  // Blocks have a line between them, those of a tight list none.
  void Blocks(std::span<const Value> blocks, std::size_t indent) {
    for (const Value& block : blocks) {
      if (&block != blocks.data() && !text_.ends_with("\n\n")) text_ += '\n';
      Block(block, indent);
    }
  }

  std::string Take() { return std::move(text_); }

 private:
  void Block(const Value& block, std::size_t indent) {
    const std::string_view name = NameOf(block);
    if (name == "p") return Paragraph(std::string(indent, ' '), InlineText(block), indent);
    if (name == "ul" || name == "ol") return Items(block, indent);
    if (name == "pre") return Code(block, indent);
    if (name == "table") return Table(block);
    if (name == "blockquote") return Blocks(ChildrenOf(block), indent + 2);
    if (name.starts_with('h') && name != "hr")
      text_ += InColor(InlineText(block), Hue::kHeading, screen_) + "\n";
  }

  void Paragraph(std::string_view mark, std::string_view words, std::size_t indent) {
    while (words.ends_with(' ')) words.remove_suffix(1);
    if (!words.empty()) text_ += FoldLines(fmt::format("{}{}", mark, words), screen_.columns, indent) + "\n";
  }

  void Items(const Value& list, std::size_t indent) {
    double number = AttributesOf(list).NumberAt("start").value_or(1);
    const bool is_numbered = NameOf(list) == "ol";
    for (const Value& item : ChildrenOf(list)) {
      const std::string mark = is_numbered ? fmt::format("{}. ", number++) : "- ";
      Item(item, std::string(indent, ' ') + mark, indent + mark.size());
    }
  }

  // A tight item contains its words directly, and a loose one contains a paragraph.
  void Item(const Value& item, std::string mark, std::size_t indent) {
    std::string words;
    const auto end_words = [&] {
      Paragraph(std::exchange(mark, std::string(indent, ' ')), std::exchange(words, {}), indent);
    };
    for (const Value& child : ChildrenOf(item)) {
      if (!IsBlock(child)) {
        words += InlineText(child);
      } else if (NameOf(child) == "p") {
        if (&child != ChildrenOf(item).data()) text_ += '\n';
        words = InlineText(child);
        end_words();
      } else {
        if (!words.empty()) end_words();
        Block(child, indent);
      }
    }
    if (!words.empty()) end_words();
  }

  void Code(const Value& block, std::size_t indent) {
    std::string code;
    for (const Value& child : ChildrenOf(block)) code += child.AsString();
    for (std::string_view rest = code; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      text_ += CodeLine(rest.substr(0, end), indent) + "\n";
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  // A command or a line of a file stays whole, so that it can be copied; columns of words are folded behind
  // the last gap.
  std::string CodeLine(std::string_view code, std::size_t indent) const {
    constexpr std::size_t kMargin = 4;
    constexpr std::size_t kLeast = 20;  // columns for words
    const std::size_t margin = kMargin + indent;
    std::string line = std::string(margin, ' ') + std::string(code);
    const std::size_t gap = line.rfind("  ");
    if (DisplayWidth(line) <= screen_.columns || gap == std::string::npos || gap + 2 <= margin) return line;
    const std::string_view words = std::string_view(line).substr(gap + 2);
    const std::size_t column = DisplayWidth(std::string_view(line).substr(0, gap + 2));
    if (words.starts_with('#') || column + kLeast > screen_.columns) return line;
    return line.substr(0, gap + 2) + FoldLines(words, screen_.columns, column);
  }

  void Table(const Value& block) {
    std::vector<std::vector<std::string>> rows;
    for (const Value& part : ChildrenOf(block)) {
      for (const Value& row : ChildrenOf(part)) {
        rows.emplace_back();
        for (const Value& cell : ChildrenOf(row)) rows.back().push_back(WithoutEscapes(InlineText(cell)));
      }
    }
    std::vector<TextTable::Column> columns;
    for (const std::string& title : rows.front()) columns.push_back({title});
    TextTable table(columns);
    for (std::size_t i = 1; i < rows.size(); ++i) table.Add(rows[i]);
    text_ += table.Text(screen_);
  }

  Screen screen_;
  std::string text_;
};

}  // namespace

std::string PlainMarkdown(std::string_view line) {
  const Value tree = DocumentTree(line);
  std::string text;
  if (!tree.is_list()) return std::string(line);
  for (const Value& block : tree.AsList()) text += InlineText(block);
  return text;
}

std::string MarkdownAsText(std::string_view markdown, const Screen& screen) {
  const Value tree = DocumentTree(markdown);
  if (!tree.is_list()) return std::string(markdown);
  Pager pager(screen);
  pager.Blocks(tree.AsList(), 0);
  return pager.Take();
}

}  // namespace assay
