// Walks the XML parts of an office file tag by tag; the order of sheets and slides is what the main part and
// its relations say.
#include "corpus/read/office.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "corpus/index/words.h"
#include "corpus/limits.h"
#include "corpus/read/html.h"
#include "text/packed/zip.h"

namespace assay {

namespace {

constexpr std::size_t kOfficePartsMax = 5'000;  // sheets or slides
constexpr std::size_t kColumnsPaddedMax = 64;   // between two cells of a row

// Prefixes of namespaces are each writer's own choice.
std::string_view PlainTag(const MarkupTag& tag) {
  const std::string_view name = tag.name;
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

// The attribute of this name in any namespace: "r:id".
const std::string* AttributeOf(const MarkupTag& tag, std::string_view name, bool is_prefixed = false) {
  for (const MarkupAttribute& attribute : tag.attributes) {
    const std::size_t colon = attribute.name.find(':');
    const bool has_prefix = colon != std::string::npos;
    if (has_prefix != is_prefixed) continue;
    const std::string_view local = std::string_view(attribute.name).substr(has_prefix ? colon + 1 : 0);
    if (local == name) return &attribute.value;
  }
  return nullptr;
}

std::optional<std::size_t> CountOfText(std::string_view text) {
  std::size_t count = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return count;
}

// The parts of the archive, as long as all that are read stay below the limit.
class OfficeParts {
 public:
  explicit OfficeParts(const ZipArchive& archive) : archive_(archive) {}

  bool Has(std::string_view name) const { return archive_.Find(name) != nullptr; }
  Result<std::string> Read(std::string_view name) {
    const ZipEntry* entry = archive_.Find(name);
    if (entry == nullptr) {
      return Error{ErrorCode::kCorrupt,
                   fmt::format("expected an office file with a part {}, found none; fetch it again", name)};
    }
    ASSAY_TRY(std::string bytes, archive_.Read(*entry, left_));
    left_ -= bytes.size();
    return DecodePlainText(bytes).text;
  }
  Result<std::string> ReadIfThere(std::string_view name) { return Has(name) ? Read(name) : std::string(); }

 private:
  const ZipArchive& archive_;
  std::size_t left_ = limits::kDocumentBytesMax;
};

// What the file calls itself.
Result<std::string> TitleOf(OfficeParts& parts) {
  ASSAY_TRY(const std::string xml, parts.ReadIfThere("docProps/core.xml"));
  std::string title;
  bool is_title = false;
  ScanMarkup(xml,
             {.on_tag = [&](const MarkupTag& tag) { is_title = PlainTag(tag) == "title" && !tag.is_closing; },
              .on_text =
                  [&](std::string_view text) {
                    if (is_title && title.empty()) title = CollapseBlanks(text);
                  }});
  return title;
}

// Of `folder`/`name`: by id the part that it leads to.
Result<std::map<std::string, std::string>> RelationsOf(OfficeParts& parts, const std::string& folder,
                                                       const std::string& name) {
  ASSAY_TRY(const std::string xml, parts.ReadIfThere(fmt::format("{}/_rels/{}.rels", folder, name)));
  std::map<std::string, std::string> targets;
  const auto on_tag = [&](const MarkupTag& tag) {
    const std::string* id = AttributeOf(tag, "id");
    const std::string* target = AttributeOf(tag, "target");
    if (PlainTag(tag) != "relationship" || id == nullptr || target == nullptr) return;
    if (targets.size() >= kOfficePartsMax) return;
    targets.emplace(*id, target->starts_with('/') ? target->substr(1) : folder + "/" + *target);
  };
  ScanMarkup(xml, {.on_tag = on_tag, .on_text = [](std::string_view) {}});
  return targets;
}

// The names (where they have some) and parts that a list of the main part names, in its order.
struct NamedPart {
  std::string name;
  std::string part;
};
Result<std::vector<NamedPart>> ListedParts(OfficeParts& parts, const std::string& folder,
                                           const std::string& main, std::string_view list_tag) {
  ASSAY_TRY(const std::string xml, parts.Read(folder + "/" + main));
  ASSAY_TRY(const auto relations, RelationsOf(parts, folder, main));
  std::vector<NamedPart> listed;
  const auto on_tag = [&](const MarkupTag& tag) {
    const std::string* id = AttributeOf(tag, "id", true);
    if (PlainTag(tag) != list_tag || tag.is_closing || id == nullptr) return;
    const auto found = relations.find(*id);
    if (found == relations.end() || listed.size() >= kOfficePartsMax) return;
    const std::string* name = AttributeOf(tag, "name");
    listed.push_back({.name = name == nullptr ? std::string() : *name, .part = found->second});
  };
  ScanMarkup(xml, {.on_tag = on_tag, .on_text = [](std::string_view) {}});
  return listed;
}

// Runs of text of a document or a slide: "t" holds text, "p" is a paragraph, "tc" a cell, "tr" a row.
std::string RunsOf(std::string_view xml) {
  std::string text;
  bool is_text = false;
  int cells = 0;  // open ones: a paragraph in a cell ends no line
  const auto break_line = [&text] {
    if (!text.empty() && text.back() != '\n') text += '\n';
  };
  const auto on_tag = [&](const MarkupTag& tag) {
    const std::string_view name = PlainTag(tag);
    is_text = name == "t" && !tag.is_closing && !tag.is_empty;
    if (name == "tab" && !tag.is_closing) text += '\t';
    if ((name == "br" || name == "cr") && !tag.is_closing) text += cells > 0 ? ' ' : '\n';
    if (name == "tc") {
      cells = std::max(0, cells + (tag.is_closing ? -1 : 1));
      if (tag.is_closing) text += '\t';
    } else if (name == "tr" && tag.is_closing) {
      while (text.ends_with('\t')) text.pop_back();
      break_line();
    } else if (name == "p" && (tag.is_closing || tag.is_empty)) {
      if (cells > 0) {
        if (!text.empty() && text.back() != '\t' && text.back() != '\n') text += ' ';
      } else {
        text += '\n';
      }
    }
  };
  ScanMarkup(xml, {.on_tag = on_tag, .on_text = [&](std::string_view part) {
                     if (is_text) text += part;
                   }});
  return std::string(TrimBlanks(text));
}

void AddPage(std::string_view page, DocumentText& document) {
  if (page.empty()) return;
  if (!document.text.empty()) document.text += "\n\n";
  document.page_starts.push_back(document.text.size());
  document.text += page;
}

// The texts of <si>, by number.
std::vector<std::string> SharedTexts(std::string_view xml) {
  std::vector<std::string> texts;
  bool is_text = false;
  bool is_phonetic = false;
  const auto on_tag = [&](const MarkupTag& tag) {
    const std::string_view name = PlainTag(tag);
    if (name == "si" && !tag.is_closing) texts.emplace_back();
    if (name == "rph") is_phonetic = !tag.is_closing;
    is_text = name == "t" && !tag.is_closing && !tag.is_empty && !is_phonetic;
  };
  ScanMarkup(xml, {.on_tag = on_tag, .on_text = [&](std::string_view part) {
                     if (is_text && !texts.empty()) texts.back() += part;
                   }});
  return texts;
}

bool IsDateFormat(std::string_view code) {
  bool is_quoted = false;
  for (const char c : code) {
    if (c == '"') is_quoted = !is_quoted;
    if (!is_quoted && (c == 'y' || c == 'd' || c == 'Y' || c == 'D')) return true;
  }
  return false;
}

// Which styles of cells show their numbers as days.
std::set<std::size_t> DateStyles(std::string_view xml) {
  constexpr std::size_t kFirstDate = 14;  // built-in formats
  constexpr std::size_t kLastDate = 17;
  constexpr std::size_t kDateAndTime = 22;
  std::set<std::size_t> formats = {kDateAndTime};
  for (std::size_t format = kFirstDate; format <= kLastDate; ++format) formats.insert(format);
  std::set<std::size_t> styles;
  std::size_t style = 0;
  bool in_cells = false;
  const auto on_tag = [&](const MarkupTag& tag) {
    const std::string_view name = PlainTag(tag);
    const std::string* id = AttributeOf(tag, "numfmtid");
    const std::optional<std::size_t> number = id == nullptr ? std::nullopt : CountOfText(*id);
    if (name == "numfmt" && number) {
      const std::string* code = AttributeOf(tag, "formatcode");
      if (code != nullptr && IsDateFormat(*code)) formats.insert(*number);
    }
    if (name == "cellxfs") in_cells = !tag.is_closing;
    if (name == "xf" && in_cells && !tag.is_closing) {
      if (number && formats.contains(*number)) styles.insert(style);
      ++style;
    }
  };
  ScanMarkup(xml, {.on_tag = on_tag, .on_text = [](std::string_view) {}});
  return styles;
}

// Day 1 is the first of January 1900, and 1900 has a 29 February, as spreadsheets have it.
std::string DayText(const std::string& stored) {
  constexpr double kDaysMax = 2'958'466;  // the year 9999
  constexpr int kDaysToEpoch = 25'569;
  constexpr double kLeapBug = 60;
  double days = 0;
  const auto [end, problem] = std::from_chars(stored.data(), stored.data() + stored.size(), days);
  if (problem != std::errc() || end != stored.data() + stored.size() || days <= kLeapBug || days >= kDaysMax)
    return stored;
  const std::chrono::sys_days day{std::chrono::days{static_cast<int>(std::floor(days)) - kDaysToEpoch}};
  const std::chrono::year_month_day date(day);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

// "C12" is column 2, from 0.
std::optional<std::size_t> ColumnOf(std::string_view reference) {
  constexpr std::size_t kLetters = 26;
  constexpr std::size_t kColumnsMax = 16'384;
  std::size_t column = 0;
  for (const char c : reference) {
    const char upper = c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
    if (upper < 'A' || upper > 'Z') break;
    column = column * kLetters + static_cast<std::size_t>(upper - 'A') + 1;
    if (column > kColumnsMax) return std::nullopt;
  }
  if (column == 0) return std::nullopt;
  return column - 1;
}

// The cells of one sheet as lines.
class SheetReader {
 public:
  SheetReader(const std::vector<std::string>& shared, const std::set<std::size_t>& dates)
      : shared_(shared), dates_(dates) {}

  std::string Read(std::string_view xml) {
    ScanMarkup(xml, {.on_tag = [this](const MarkupTag& tag) { Tag(tag); },
                     .on_text =
                         [this](std::string_view text) {
                           if (is_value_) value_ += text;
                         }});
    return std::string(TrimBlanks(text_));
  }

 private:
  void Tag(const MarkupTag& tag) {
    const std::string_view name = PlainTag(tag);
    is_value_ = (name == "v" || name == "t") && !tag.is_closing && !tag.is_empty;
    if (name == "row" && tag.is_closing) {
      text_ += '\n';
      next_column_ = 0;
    } else if (name == "c" && !tag.is_closing) {
      Open(tag);
      if (tag.is_empty) Close();
    } else if (name == "c") {
      Close();
    }
  }

  void Open(const MarkupTag& tag) {
    const std::string* type = AttributeOf(tag, "t");
    const std::string* style = AttributeOf(tag, "s");
    const std::string* reference = AttributeOf(tag, "r");
    type_ = type == nullptr ? std::string() : *type;
    const std::optional<std::size_t> number = style == nullptr ? std::nullopt : CountOfText(*style);
    is_date_ = number && dates_.contains(*number);
    column_ = reference == nullptr ? next_column_ : ColumnOf(*reference).value_or(next_column_);
    value_.clear();
  }

  void Close() {
    std::string shown = value_;
    if (type_ == "s") {
      const std::optional<std::size_t> at = CountOfText(value_);
      shown = at && *at < shared_.size() ? shared_[*at] : std::string();
    } else if (type_ == "b") {
      shown = value_ == "1" ? "TRUE" : "FALSE";
    } else if (type_.empty() && is_date_) {
      shown = DayText(value_);
    }
    if (shown.empty()) return;
    const std::size_t gap = column_ > next_column_ ? column_ - next_column_ : 0;
    text_.append(std::min(gap, kColumnsPaddedMax), '\t');
    if (next_column_ > 0) text_ += '\t';
    std::replace(shown.begin(), shown.end(), '\n', ' ');
    text_ += shown;
    next_column_ = column_ + 1;
    value_.clear();
  }

  const std::vector<std::string>& shared_;
  const std::set<std::size_t>& dates_;
  std::string text_;
  std::string type_;
  std::string value_;
  bool is_date_ = false;
  bool is_value_ = false;
  std::size_t column_ = 0;
  std::size_t next_column_ = 0;
};

}  // namespace

Result<DocumentText> ReadDocx(std::string_view bytes) {
  ASSAY_TRY(const ZipArchive archive, ZipArchive::Open(bytes, limits::kEpubEntriesMax));
  OfficeParts parts(archive);
  DocumentText document;
  ASSAY_TRY(document.title, TitleOf(parts));
  ASSAY_TRY(const std::string main, parts.Read("word/document.xml"));
  document.text = RunsOf(main);
  for (const char* notes : {"word/footnotes.xml", "word/endnotes.xml"}) {
    ASSAY_TRY(const std::string xml, parts.ReadIfThere(notes));
    if (const std::string text = RunsOf(xml); !text.empty()) document.text += "\n\n" + text;
  }
  return document;
}

Result<DocumentText> ReadXlsx(std::string_view bytes) {
  ASSAY_TRY(const ZipArchive archive, ZipArchive::Open(bytes, limits::kEpubEntriesMax));
  OfficeParts parts(archive);
  DocumentText book;
  ASSAY_TRY(book.title, TitleOf(parts));
  ASSAY_TRY(const std::vector<NamedPart> sheets, ListedParts(parts, "xl", "workbook.xml", "sheet"));
  ASSAY_TRY(const std::string shared_xml, parts.ReadIfThere("xl/sharedStrings.xml"));
  ASSAY_TRY(const std::string styles_xml, parts.ReadIfThere("xl/styles.xml"));
  const std::vector<std::string> shared = SharedTexts(shared_xml);
  const std::set<std::size_t> dates = DateStyles(styles_xml);
  for (const NamedPart& sheet : sheets) {
    ASSAY_TRY(const std::string xml, parts.ReadIfThere(sheet.part));
    const std::string lines = SheetReader(shared, dates).Read(xml);
    if (lines.empty()) continue;
    if (book.text.size() + lines.size() > limits::kDocumentBytesMax)
      return Error{ErrorCode::kLimit, "the sheets hold more text than a document may have; split the file"};
    AddPage(sheet.name.empty() ? lines : sheet.name + "\n" + lines, book);
  }
  return book;
}

Result<DocumentText> ReadPptx(std::string_view bytes) {
  ASSAY_TRY(const ZipArchive archive, ZipArchive::Open(bytes, limits::kEpubEntriesMax));
  OfficeParts parts(archive);
  DocumentText deck;
  ASSAY_TRY(deck.title, TitleOf(parts));
  ASSAY_TRY(const std::vector<NamedPart> slides, ListedParts(parts, "ppt", "presentation.xml", "sldid"));
  for (const NamedPart& slide : slides) {
    ASSAY_TRY(const std::string xml, parts.ReadIfThere(slide.part));
    AddPage(RunsOf(xml), deck);
  }
  return deck;
}

}  // namespace assay
