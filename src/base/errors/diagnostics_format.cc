// Formats diagnostics for the terminal: place, message, the source line and a caret below it.
#include <algorithm>
#include <span>
#include <vector>

#include <fmt/core.h>

#include "base/errors/diagnostics.h"
#include "base/text/ascii.h"
#include "base/text/printable.h"
#include "base/text/utf8.h"

namespace assay {

namespace {

constexpr std::size_t kExcerptColumns = 100;  // of a source line; longer lines are cut around the caret
constexpr std::size_t kColumnsBeforeCaret = 60;
constexpr std::size_t kTabColumns = 4;

// A source line as it will be shown: one cell for each code point, and which cells the span covers.
struct Excerpt {
  std::vector<std::string> cells;
  std::vector<std::size_t> columns;  // columns that each cell takes
  std::size_t caret = 0;             // index of the first covered cell; may be one past the last
  std::size_t covered = 0;           // at least 1
};

Excerpt CutIntoCells(std::string_view line, std::size_t caret_byte, std::size_t length_bytes) {
  Excerpt excerpt;
  std::size_t column = 0;
  for (std::size_t offset = 0; offset < line.size();) {
    if (offset < caret_byte) ++excerpt.caret;
    if (offset >= caret_byte && offset < caret_byte + length_bytes) ++excerpt.covered;
    const DecodedCodePoint decoded = DecodeUtf8(line, offset);
    offset += decoded.size_bytes;
    std::string cell;
    if (decoded.code_point == U'\t') {
      cell.assign(kTabColumns - column % kTabColumns, ' ');
    } else {
      AppendPrintable(decoded.code_point, cell);
    }
    excerpt.columns.push_back(CountCodePoints(cell));
    column += excerpt.columns.back();
    excerpt.cells.push_back(std::move(cell));
  }
  excerpt.covered = std::max<std::size_t>(excerpt.covered, 1);
  return excerpt;
}

// The source line and the line with the caret, both without their margin.
struct ExcerptLines {
  std::string source;
  std::string caret;
};

ExcerptLines Render(const Excerpt& excerpt) {
  std::size_t first = excerpt.caret;
  for (std::size_t before = 0; first > 0; --first) {
    before += excerpt.columns[first - 1];
    if (before > kColumnsBeforeCaret) break;
  }
  ExcerptLines lines;
  if (first > 0) {
    lines.source = "…";
    lines.caret = " ";
  }
  std::size_t used = 0;
  std::size_t i = first;
  for (; i < excerpt.cells.size() && used + excerpt.columns[i] <= kExcerptColumns; ++i) {
    lines.source += excerpt.cells[i];
    used += excerpt.columns[i];
    if (i < excerpt.caret) lines.caret.append(excerpt.columns[i], ' ');
    if (i == excerpt.caret)
      lines.caret += '^' + std::string(std::max<std::size_t>(excerpt.columns[i], 1) - 1, '~');
    if (i > excerpt.caret && i < excerpt.caret + excerpt.covered) lines.caret.append(excerpt.columns[i], '~');
  }
  if (i < excerpt.cells.size()) lines.source += "…";
  if (excerpt.caret >= i) lines.caret += '^';
  return lines;
}

void Blot(std::string& line, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) line[i] = '*';
}

// `line` with stars for the passwords of addresses in it, byte by byte, so that places stay.
std::string WithoutPasswords(std::string_view line) {
  constexpr std::string_view kSecret[] = {"pass", "pwd", "secret", "token", "key"};
  std::string out(line);
  const std::string small = AsciiLower(line);
  for (std::size_t at = small.find("://"); at != std::string::npos; at = small.find("://", at + 3)) {
    const std::size_t begin = at + 3;
    const std::size_t end = std::min(small.find_first_of(" \t\"'`<>", begin), small.size());
    const std::size_t user_end = small.substr(0, end).rfind('@');
    const std::size_t colon = small.find(':', begin);
    if (user_end != std::string::npos && colon < user_end) Blot(out, colon + 1, user_end);
    for (std::size_t name = begin; name < end;) {
      const std::size_t next = std::min(small.find_first_of("?&;#", name), end);
      const std::size_t equals = std::min(small.find('=', name), next);
      const std::string_view parameter = std::string_view(small).substr(name, equals - name);
      if (std::any_of(std::begin(kSecret), std::end(kSecret),
                      [&](std::string_view word) { return parameter.find(word) != std::string_view::npos; }))
        Blot(out, std::min(equals + 1, next), next);
      name = next + 1;
    }
  }
  return out;
}

std::string FormatExcerpt(Span where, std::string_view hint, const SourceFiles& files) {
  const std::string_view text = files.Text(where.file);
  const std::string_view line = files.LineAt(where);
  const std::size_t line_start = static_cast<std::size_t>(line.data() - text.data());
  const std::size_t caret_byte = std::min<std::size_t>(where.offset, text.size()) - line_start;
  const ExcerptLines lines = Render(CutIntoCells(WithoutPasswords(line), caret_byte, where.length));
  std::string out =
      fmt::format("{:>5} | {}\n      | {}", files.Locate(where).line, lines.source, lines.caret);
  if (!hint.empty()) out += fmt::format(" {}", hint);
  return out + "\n";
}

std::string FormatPlace(Span where, const SourceFiles& files) {
  const LineColumn place = files.Locate(where);
  if (place.line == 0) return {};
  return fmt::format("{}:{}:{}: ", files.Path(where.file), place.line, place.column);
}

}  // namespace

std::string_view SeverityName(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      return "note";
  }
  return "error";
}

std::string FormatDiagnostic(const Diagnostic& diagnostic, const SourceFiles& files) {
  const std::string place = FormatPlace(diagnostic.where, files);
  std::string out = fmt::format("{}{}: {}", place, SeverityName(diagnostic.severity), diagnostic.message);
  if (!diagnostic.code.empty()) out += fmt::format(" [{}]", diagnostic.code);
  out += "\n";
  if (!place.empty()) {
    out += FormatExcerpt(diagnostic.where, diagnostic.hint, files);
  } else if (!diagnostic.hint.empty()) {
    out += fmt::format("  {}\n", diagnostic.hint);
  }
  return out;
}

std::string FormatDiagnostics(const Diagnostics& diagnostics, const SourceFiles& files) {
  std::string out;
  const std::span<const Diagnostic> all = diagnostics.All();
  std::vector<bool> is_told(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_told[i]) continue;
    out += FormatDiagnostic(all[i], files);
    if (all[i].severity != Severity::kError || files.Locate(all[i].where).line == 0) continue;
    // Several errors at one place are one with several reasons.
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      if (all[j].severity != all[i].severity || !(all[j].where == all[i].where)) continue;
      is_told[j] = true;
      out += fmt::format("      | also: {}", all[j].message);
      if (!all[j].code.empty() && all[j].code != all[i].code) out += fmt::format(" [{}]", all[j].code);
      out += all[j].hint.empty() ? "\n" : fmt::format("; {}\n", all[j].hint);
    }
  }
  if (diagnostics.Dropped() > 0) {
    out += fmt::format("note: {} more problems are not shown; solve these first\n", diagnostics.Dropped());
  }
  return out;
}

std::string FormatError(const Error& error, const SourceFiles& files) {
  const Span where = error.where.value_or(Span{});
  const std::string place = FormatPlace(where, files);
  std::string out = fmt::format("{}error: {}\n", place, error.message);
  if (!place.empty()) out += FormatExcerpt(where, {}, files);
  for (const std::string& note : error.notes) out += fmt::format("  {}\n", note);
  return out;
}

}  // namespace assay
