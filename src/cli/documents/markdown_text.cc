// Reading as much Markdown as docs/ uses.
#include "cli/documents/markdown_text.h"

#include <fmt/core.h>

#include <optional>
#include <vector>

#include "cli/terminal/text_table.h"
#include "engine/words.h"

namespace assay {

namespace {

constexpr std::size_t kPageColumns = 100;  // where nobody says how wide the window is

// How long the mark of a list's item is, "- " or "12. "; 0: the line begins none.
std::size_t ItemMark(std::string_view words) {
  if (words.starts_with("- ")) return 2;
  const std::size_t digits = words.find_first_not_of("0123456789");
  const bool is_number =
      digits != std::string_view::npos && digits > 0 && words.substr(digits).starts_with(". ");
  return is_number ? digits + 2 : 0;
}

class Pager {
 public:
  explicit Pager(const Screen& screen) : screen_(screen) {
    if (screen_.columns == 0) screen_.columns = kPageColumns;
  }

  void Line(std::string_view line) {
    if (line.starts_with("```")) {
      Flush();
      in_code_ = !in_code_;
      return;
    }
    if (in_code_) {
      text_ += CodeLine(line) + "\n";
      return;
    }
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::string_view words = line.substr(indent);
    if (words.starts_with("| ") || words.starts_with("|-") || words.starts_with("|:")) {
      Row(words);
      return;
    }
    if (words.empty() || words.starts_with("<!--") || words.starts_with("![")) {
      Flush();
      if (words.empty() && !text_.empty() && !text_.ends_with("\n\n")) text_ += '\n';
      return;
    }
    if (line.starts_with('#')) {
      Flush();
      const std::string title = PlainMarkdown(line.substr(line.find_first_not_of("# ")));
      text_ += InColor(title, Hue::kHeading, screen_) + "\n";
      return;
    }
    if (const std::size_t mark = ItemMark(words);
        mark > 0 && (mark == 2 || paragraph_.empty() || indent_ > 0)) {
      Flush();
      indent_ = indent + mark;
      paragraph_ = fmt::format("{}{}", std::string(indent, ' '), words);
      return;
    }
    if (!table_rows_.empty()) Flush();
    paragraph_ += paragraph_.empty() ? std::string(words) : fmt::format(" {}", words);
  }

  std::string Finish() {
    Flush();
    return std::move(text_);
  }

 private:
  // A command or a line of a file stays whole, so that it can be copied; columns of words are folded behind
  // the last gap.
  std::string CodeLine(std::string_view code) const {
    constexpr std::size_t kMargin = 4;
    constexpr std::size_t kLeast = 20;  // columns for words
    std::string line = std::string(kMargin, ' ') + std::string(code);
    const std::size_t gap = line.rfind("  ");
    if (DisplayWidth(line) <= screen_.columns || gap == std::string::npos || gap + 2 <= kMargin) return line;
    const std::string_view words = std::string_view(line).substr(gap + 2);
    const std::size_t indent = DisplayWidth(std::string_view(line).substr(0, gap + 2));
    if (words.starts_with('#') || indent + kLeast > screen_.columns) return line;
    return line.substr(0, gap + 2) + FoldLines(words, screen_.columns, indent);
  }

  void Row(std::string_view line) {
    if (!paragraph_.empty()) Flush();
    std::vector<std::string> cells(1);
    for (std::size_t i = 1; i < line.size(); ++i) {
      if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
        cells.back() += line[++i];
      } else if (line[i] == '|') {
        cells.emplace_back();
      } else {
        cells.back() += line[i];
      }
    }
    cells.pop_back();
    for (std::string& cell : cells) cell = PlainMarkdown(cell);
    if (!line.starts_with("| ")) return;  // the line below the titles
    table_rows_.push_back(std::move(cells));
  }

  void Flush() {
    if (!table_rows_.empty()) {
      std::vector<TextTable::Column> columns;
      for (const std::string& title : table_rows_.front()) columns.push_back({title});
      TextTable table(columns);
      for (std::size_t i = 1; i < table_rows_.size(); ++i) {
        table_rows_[i].resize(columns.size());
        table.Add(table_rows_[i]);
      }
      text_ += table.Text(screen_);
      table_rows_.clear();
    }
    if (!paragraph_.empty()) text_ += FoldLines(PlainMarkdown(paragraph_), screen_.columns, indent_) + "\n";
    paragraph_.clear();
    indent_ = 0;
  }

  Screen screen_;
  std::string text_;
  std::string paragraph_;
  std::size_t indent_ = 0;  // of the paragraph's lines behind the first
  std::vector<std::vector<std::string>> table_rows_;
  bool in_code_ = false;
};

// "[words](where)" at the start: the words, and how long all of it is.
struct Link {
  std::string_view words;
  std::size_t size = 0;
};
std::optional<Link> LinkAt(std::string_view text) {
  const std::size_t middle = text.find("](");
  if (!text.starts_with('[') || middle == std::string_view::npos) return std::nullopt;
  if (text.substr(1, middle - 1).find('[') != std::string_view::npos) return std::nullopt;
  const std::size_t end = text.find(')', middle);
  if (end == std::string_view::npos) return std::nullopt;
  return Link{.words = text.substr(1, middle - 1), .size = end + 1};
}

}  // namespace

std::string PlainMarkdown(std::string_view line) {
  while (line.starts_with(' ') && !line.starts_with("  ")) line.remove_prefix(1);
  while (line.ends_with(' ')) line.remove_suffix(1);
  std::string plain;
  bool in_code = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '`') {
      in_code = !in_code;
      plain += '`';
      continue;
    }
    if (!in_code && line.substr(i, 2) == "**") {
      ++i;
      continue;
    }
    if (const std::optional<Link> link = in_code ? std::nullopt : LinkAt(line.substr(i))) {
      plain += PlainMarkdown(link->words);
      i += link->size - 1;
      continue;
    }
    plain += line[i];
  }
  return plain;
}

std::string MarkdownAsText(std::string_view markdown, const Screen& screen) {
  Pager pager(screen);
  while (!markdown.empty()) {
    const std::size_t end = std::min(markdown.find('\n'), markdown.size());
    pager.Line(markdown.substr(0, end));
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
  }
  return pager.Finish();
}

}  // namespace assay
