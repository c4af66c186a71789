// Markdown, line by line, then mark by mark within a block.
#include "report/page/markdown.h"

#include <algorithm>
#include <array>
#include <vector>

#include "report/page/html_text.h"

namespace assay {
namespace {

constexpr int kNestingMax = 4;
// How far a link is looked for: keeps the whole linear when marks have no partners.
constexpr std::size_t kLinkBytesMax = 2'000;

bool IsWordByte(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

// One block's text with its marks. A mark whose partner is missing is text; that it is missing is remembered,
// so that no search is made twice.
class InlineWriter {
 public:
  InlineWriter(std::string_view text, int depth, std::string& out) : text_(text), depth_(depth), out_(out) {}

  void Write() {
    while (at_ < text_.size()) {
      if (!TryMark()) ++at_;
    }
    FlushText();
  }

 private:
  bool TryMark() {
    switch (text_[at_]) {
      case '\\':
        return TryEscape();
      case '`':
        return TryCode();
      case '*':
        return TryPair("**", "strong") || TryPair("*", "em");
      case '_':
        return !FollowsWord() && (TryPair("__", "strong") || TryPair("_", "em"));
      case '[':
        return TryLink(at_);
      case '!':
        return at_ + 1 < text_.size() && text_[at_ + 1] == '[' && TryLink(at_ + 1);
      case 'h':
        return !FollowsWord() && TryBareAddress();
      default:
        return false;
    }
  }

  bool FollowsWord() const { return at_ > 0 && IsWordByte(text_[at_ - 1]); }

  void FlushText() {
    AppendHtmlText(text_.substr(plain_, at_ - plain_), out_);
    plain_ = at_;
  }
  void SkipTo(std::size_t offset) { at_ = plain_ = offset; }

  std::size_t FindPartner(std::string_view mark, std::size_t from, bool& missing) const {
    if (missing) return std::string_view::npos;
    const std::size_t found = text_.find(mark, from);
    missing = found == std::string_view::npos;
    return found;
  }

  bool TryEscape() {
    constexpr std::string_view kEscapable = "\\`*_{}[]()#+-.!<>|~";
    if (at_ + 1 >= text_.size() || kEscapable.find(text_[at_ + 1]) == std::string_view::npos) return false;
    FlushText();
    plain_ = at_ + 1;
    at_ += 2;
    return true;
  }

  bool TryCode() {
    const std::size_t end = FindPartner("`", at_ + 1, no_code_);
    if (end == std::string_view::npos) return false;
    FlushText();
    out_ += "<code>";
    AppendHtmlText(text_.substr(at_ + 1, end - at_ - 1), out_);
    out_ += "</code>";
    SkipTo(end + 1);
    return true;
  }

  bool TryPair(std::string_view mark, std::string_view tag) {
    if (depth_ >= kNestingMax || text_.substr(at_, mark.size()) != mark) return false;
    const std::size_t start = at_ + mark.size();
    if (start >= text_.size() || text_[start] == ' ' || text_[start] == '\n' || text_[start] == mark[0])
      return false;
    bool& missing = no_pair_[(mark[0] == '*' ? 0 : 2) + mark.size() - 1];
    const std::size_t end = FindPartner(mark, start, missing);
    if (end == std::string_view::npos || text_[end - 1] == ' ') return false;
    FlushText();
    out_.append("<").append(tag).append(">");
    InlineWriter(text_.substr(start, end - start), depth_ + 1, out_).Write();
    out_.append("</").append(tag).append(">");
    SkipTo(end + mark.size());
    return true;
  }

  // `bracket` is where '[' stands; an image's '!' stands before it.
  bool TryLink(std::size_t bracket) {
    const std::string_view link = text_.substr(bracket + 1, kLinkBytesMax);
    const std::size_t middle = link.find("](");
    const std::size_t end = middle == std::string_view::npos ? middle : link.find(')', middle + 2);
    if (end == std::string_view::npos) return false;
    const std::string_view label = link.substr(0, middle);
    if (label.find_first_of("[\n") != std::string_view::npos) return false;
    std::string_view url = link.substr(middle + 2, end - middle - 2);
    url = url.substr(0, url.find(' '));
    FlushText();
    if (bracket != at_) {
      out_ += "<span class=image>";
      AppendHtmlText(label.empty() ? "image" : label, out_);
      out_ += "</span>";
    } else {
      AppendWebLink(url, label, out_);
    }
    SkipTo(bracket + 1 + end + 1);
    return true;
  }

  bool TryBareAddress() {
    std::string_view url = text_.substr(at_, kLinkBytesMax);
    url = url.substr(0, url.find_first_of(" \n\t<>\"'`)]"));
    while (!url.empty() && std::string_view(".,;:!?*_").find(url.back()) != std::string_view::npos)
      url.remove_suffix(1);
    if (!IsWebAddress(url)) return false;
    FlushText();
    AppendWebLink(url, url, out_);
    SkipTo(at_ + url.size());
    return true;
  }

  std::string_view text_;
  int depth_;
  std::string& out_;
  std::size_t at_ = 0;
  std::size_t plain_ = 0;  // start of the text that has not been written yet
  bool no_code_ = false;
  std::array<bool, 4> no_pair_{};  // "*", "**", "_", "__"
};

std::string_view TrimLeft(std::string_view line) {
  return line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
}

// The length of a list mark with the blank behind it ("- ", "12. "), or 0.
std::size_t ListMark(std::string_view line) {
  if (line.size() > 1 && std::string_view("-*+").find(line[0]) != std::string_view::npos && line[1] == ' ')
    return 2;
  std::size_t digits = 0;
  while (digits < line.size() && digits < 9 && line[digits] >= '0' && line[digits] <= '9') ++digits;
  const bool is_number =
      digits > 0 && digits + 1 < line.size() && (line[digits] == '.' || line[digits] == ')');
  return is_number && line[digits + 1] == ' ' ? digits + 2 : 0;
}

std::size_t HeadingLevel(std::string_view line) {
  const std::size_t level = std::min(line.find_first_not_of('#'), line.size());
  return level <= 6 && level < line.size() && line[level] == ' ' ? level : 0;
}

bool IsRule(std::string_view line) {
  return line.size() >= 3 && (line[0] == '-' || line[0] == '*') &&
         line.find_first_not_of(line.substr(0, 1)) == std::string_view::npos;
}

bool IsFence(std::string_view line) { return line.starts_with("```"); }

class BlockWriter {
 public:
  BlockWriter(std::string_view text, int depth, std::string& out) : depth_(depth), out_(out) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      std::string_view line = text.substr(0, end);
      if (line.ends_with('\r')) line.remove_suffix(1);
      lines_.push_back(line);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
  }

  void Write() {
    while (at_ < lines_.size()) WriteBlock();
  }

 private:
  void WriteBlock() {
    const std::string_view line = TrimLeft(lines_[at_]);
    if (line.empty()) {
      ++at_;
    } else if (IsFence(line)) {
      WriteFence();
    } else if (const std::size_t level = HeadingLevel(line); level > 0) {
      const char digit = static_cast<char>('0' + std::min<std::size_t>(level + 3, 6));
      out_.append("<h").append(1, digit).append(">");
      WriteInline(line.substr(level + 1));
      out_.append("</h").append(1, digit).append(">");
      ++at_;
    } else if (IsRule(line)) {
      out_ += "<hr>";
      ++at_;
    } else if (line[0] == '>' && depth_ < kNestingMax) {
      WriteQuote();
    } else if (ListMark(line) > 0) {
      WriteList();
    } else {
      WriteParagraph();
    }
  }

  void WriteInline(std::string_view text) { InlineWriter(text, 0, out_).Write(); }

  bool StartsBlock(std::string_view line) const {
    return line.empty() || IsFence(line) || HeadingLevel(line) > 0 || IsRule(line) || line[0] == '>' ||
           ListMark(line) > 0;
  }

  // The current line from `skip` on, with the lines that continue it.
  std::string Gather(std::size_t skip) {
    std::string text(TrimLeft(lines_[at_++]).substr(skip));
    while (at_ < lines_.size() && !StartsBlock(TrimLeft(lines_[at_]))) {
      text.append("\n").append(TrimLeft(lines_[at_++]));
    }
    return text;
  }

  void WriteParagraph() {
    out_ += "<p>";
    WriteInline(Gather(0));
    out_ += "</p>";
  }

  void WriteList() {
    const bool ordered = ListMark(TrimLeft(lines_[at_])) > 2 || TrimLeft(lines_[at_])[1] != ' ';
    out_ += ordered ? "<ol>" : "<ul>";
    while (at_ < lines_.size()) {
      const std::size_t mark = ListMark(TrimLeft(lines_[at_]));
      if (mark == 0) break;
      out_ += "<li>";
      WriteInline(Gather(mark));
      out_ += "</li>";
    }
    out_ += ordered ? "</ol>" : "</ul>";
  }

  void WriteQuote() {
    std::string inner;
    while (at_ < lines_.size() && TrimLeft(lines_[at_]).starts_with('>')) {
      std::string_view line = TrimLeft(lines_[at_++]).substr(1);
      if (line.starts_with(' ')) line.remove_prefix(1);
      inner.append(line).append("\n");
    }
    out_ += "<blockquote>";
    BlockWriter(inner, depth_ + 1, out_).Write();
    out_ += "</blockquote>";
  }

  void WriteFence() {
    out_ += "<pre><code>";
    for (++at_; at_ < lines_.size() && !IsFence(TrimLeft(lines_[at_])); ++at_) {
      AppendHtmlText(lines_[at_], out_);
      out_ += '\n';
    }
    if (at_ < lines_.size()) ++at_;
    out_ += "</code></pre>";
  }

  std::vector<std::string_view> lines_;
  int depth_;
  std::string& out_;
  std::size_t at_ = 0;
};

}  // namespace

void AppendMarkdown(std::string_view text, std::string& html) { BlockWriter(text, 0, html).Write(); }

}  // namespace assay
