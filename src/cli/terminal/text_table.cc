// Measures the columns and pads them.
#include "cli/terminal/text_table.h"

#include <algorithm>
#include <numeric>

#include "base/errors/assert.h"
#include "engine/words.h"

namespace assay {

namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kTextColumnsMin = 16;  // a text is folded no narrower
constexpr std::size_t kWordColumnsMax = 32;  // of a word that no line has room for

// How narrow a text may become: a word that a line of `room` columns holds stays whole.
std::size_t NarrowestOf(std::string_view text, std::size_t room) {
  std::size_t narrowest = kTextColumnsMin;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::size_t width = DisplayWidth(text.substr(0, end));
    narrowest = std::max(narrowest, width <= room ? width : std::min(room, kWordColumnsMax));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return narrowest;
}

std::size_t Total(const std::vector<std::size_t>& columns, const std::vector<std::size_t>& widths) {
  return std::accumulate(columns.begin(), columns.end(), columns.empty() ? 0 : kGap * (columns.size() - 1),
                         [&](std::size_t sum, std::size_t column) { return sum + widths[column]; });
}

// The first columns as far as they fit, then the others, each time behind the one that names the row.
std::vector<std::vector<std::size_t>> Blocks(const std::vector<std::size_t>& widths, std::size_t name,
                                             std::size_t columns) {
  std::vector<std::vector<std::size_t>> blocks(1);
  for (std::size_t column = 0; column < widths.size(); ++column) {
    std::vector<std::size_t> longer = blocks.back();
    longer.push_back(column);
    if (columns == 0 || longer.size() <= 2 || Total(longer, widths) <= columns) {
      blocks.back() = std::move(longer);
    } else {
      blocks.push_back({name, column});
    }
  }
  return blocks;
}

}  // namespace

void TextTable::Add(std::vector<std::string> row) {
  ASSAY_ASSERT(row.size() == columns_.size());
  rows_.push_back(std::move(row));
}

std::vector<std::size_t> TextTable::Widths() const {
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) widths.push_back(DisplayWidth(column.title));
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], DisplayWidth(row[i]));
  }
  return widths;
}

// A column that does not fit stands below the others, behind the one that names the rows: beside that one
// there is room for its words.
std::vector<std::size_t> TextTable::Narrowest(std::size_t name, const Screen& screen) const {
  std::vector<std::size_t> narrowest;
  const auto add = [&](std::size_t column, std::size_t room) {
    std::size_t width = NarrowestOf(columns_[column].title, room);
    for (const auto& row : rows_) width = std::max(width, NarrowestOf(row[column], room));
    return width;
  };
  const auto left = [&](std::size_t taken) {
    return screen.columns - std::min(screen.columns, taken + kGap);
  };
  const std::size_t named = add(name, left(kTextColumnsMin));
  const std::size_t room = left(named);
  for (std::size_t i = 0; i < columns_.size(); ++i) narrowest.push_back(i == name ? named : add(i, room));
  return narrowest;
}

void TextTable::AddRows(const std::vector<std::size_t>& shown, const std::vector<std::size_t>& widths,
                        const Screen& screen, std::string& text) const {
  const auto add_row = [&](const auto& cell_of, bool is_title) {
    std::vector<std::vector<std::string>> cells;
    std::size_t begin = 0;  // a word that sticks out of its column has the next ones below it
    for (const std::size_t column : shown) {
      const bool may_fold = columns_[column].align == Align::kLeft && screen.columns > 0;
      std::vector<std::string> lines =
          LinesOf(cell_of(column), may_fold ? widths[column] : 0, screen.columns);
      if (lines.size() == 1 && lines.front().empty()) {
        cells.emplace_back();
        continue;
      }
      const bool sticks_out = std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
        return DisplayWidth(line) > widths[column];
      });
      lines.insert(lines.begin(), begin, std::string());
      if (sticks_out) begin = lines.size();
      cells.push_back(std::move(lines));
    }
    const std::size_t height = std::max_element(cells.begin(), cells.end(), [](const auto& a, const auto& b) {
                                 return a.size() < b.size();
                               })->size();
    for (std::size_t line_number = 0; line_number < height; ++line_number) {
      std::string line;
      std::size_t blanks = 0;  // before the next text: none stand at the end of a line
      for (std::size_t i = 0; i < shown.size(); ++i) {
        const Column& column = columns_[shown[i]];
        const std::string cell = line_number < cells[i].size() ? cells[i][line_number] : std::string();
        const std::size_t padding = widths[shown[i]] - std::min(widths[shown[i]], DisplayWidth(cell));
        if (i > 0) blanks += kGap;
        if (column.align == Align::kRight) blanks += padding;
        if (!cell.empty()) {
          line += std::string(blanks, ' ');
          line += is_title ? InColor(cell, Hue::kHeading, screen) : InColorOfState(cell, screen);
          blanks = 0;
        }
        if (column.align == Align::kLeft) blanks += padding;
      }
      while (line.ends_with(' ')) line.pop_back();
      text += line + '\n';
    }
  };
  add_row([&](std::size_t column) { return columns_[column].title; }, true);
  for (const auto& row : rows_) add_row([&](std::size_t column) { return row[column]; }, false);
}

std::string TextTable::Text(const Screen& screen) const {
  std::vector<std::size_t> widths = Widths();
  const auto named = std::find_if(columns_.begin(), columns_.end(),
                                  [](const Column& column) { return column.align == Align::kLeft; });
  const auto name = static_cast<std::size_t>(named == columns_.end() ? 0 : named - columns_.begin());
  const std::vector<std::size_t> narrowest = Narrowest(name, screen);
  std::vector<std::size_t> all(widths.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  while (screen.columns > 0 && Total(all, widths) > screen.columns) {
    std::size_t* widest = nullptr;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const bool may_fold = columns_[i].align == Align::kLeft && widths[i] > narrowest[i];
      if (may_fold && (widest == nullptr || widths[i] > *widest)) widest = &widths[i];
    }
    if (widest == nullptr) break;
    --*widest;
  }
  std::string text;
  for (const std::vector<std::size_t>& block : Blocks(widths, name, screen.columns)) {
    if (!text.empty()) text += '\n';
    AddRows(block, widths, screen, text);
  }
  return text;
}

}  // namespace assay
