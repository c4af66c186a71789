// Finds functions that a test calls without defining them, by scanning words, texts and comments.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "dialects/infibench/lint/lint.h"

namespace assay::infibench {
namespace {

// How to read a language's code, and what it calls by itself. R has no row: its tests call what packages
// give.
struct Syntax {
  std::string_view langs;  // between blanks, as cases name them
  std::string_view line_comment;
  bool has_block_comments;
  std::string_view known;  // between blanks: functions, types and words that stand before "("
};

// Words before which a call is a call: `return f(x)`; after any other word, `int f(x)` defines f.
constexpr std::string_view kBeforeCalls =
    " return new await assert not and or in if elif else is yield throw typeof void delete case "
    "while do lambda print raise go defer async function ";
// Words after which a name is given, not used.
constexpr std::string_view kDefining = " def class function func fn struct interface enum ";

constexpr std::array<Syntax, 3> kSyntaxes = {{
    {" python ", "#", false,
     " abs all any bool bytes callable chr complex dict dir divmod enumerate eval exec filter float "
     "format frozenset getattr globals hasattr hash hex id input int isinstance issubclass iter "
     "len list locals map max min next object oct open ord pow print property range repr reversed "
     "round set setattr slice sorted str sum super tuple type vars zip Exception ValueError "
     "TypeError KeyError IndexError AssertionError RuntimeError NotImplementedError Counter deque "
     "defaultdict OrderedDict namedtuple ChainMap if elif while for return assert not and or in is "
     "lambda print yield except with del raise else from import await "},
    {" javascript js typescript ts html css web ", "//", true,
     " require assert parseInt parseFloat isNaN isFinite String Number Boolean Object Array Date "
     "Map Set Symbol Promise Error TypeError RangeError RegExp JSON Math BigInt Proxy Function "
     "setTimeout clearTimeout setInterval clearInterval setImmediate queueMicrotask fetch "
     "structuredClone encodeURIComponent decodeURIComponent encodeURI decodeURI JSDOM if for while "
     "switch catch return function typeof await super import new throw else void async yield of in "},
    {" c c++ cpp c/c++ c++/c cpp/c c/cpp java c# c-sharp csharp cs go ", "//", true,
     " main assert abort exit printf fprintf sprintf snprintf puts malloc calloc free memcmp memset "
     "memcpy strcmp strlen strcpy abs sqrt pow fabs floor ceil min max sort swap make append len "
     "cap copy delete panic new string int int32 int64 float32 float64 byte rune error vector map "
     "set pair make_pair make_tuple to_string String Integer Double List ArrayList HashMap Arrays "
     "Exception RuntimeException AssertionError if for while switch catch return sizeof typeof "
     "nameof using lock foreach synchronized func throw else super this case "},
}};

bool Has(std::string_view words, std::string_view word) {
  for (std::size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
    const bool starts = at > 0 && words[at - 1] == ' ';
    const std::size_t end = at + word.size();
    if (starts && end < words.size() && words[end] == ' ') return true;
  }
  return false;
}

const Syntax* FindSyntax(std::string_view lang) {
  for (const Syntax& syntax : kSyntaxes) {
    if (!lang.empty() && Has(syntax.langs, lang)) return &syntax;
  }
  return nullptr;
}

bool IsWordByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || c == '$' || byte >= 0x80;
}

// A word or a mark of the code; texts and comments yield nothing.
struct Token {
  std::string_view text;
  bool is_word = false;
};

class Scanner {
 public:
  Scanner(std::string_view code, const Syntax& syntax) : code_(code), syntax_(syntax) {}

  std::vector<Token> Scan() {
    std::vector<Token> tokens;
    while (at_ < code_.size()) {
      const std::size_t start = at_;
      if (SkipUnread()) continue;
      const bool is_word = IsWordByte(code_[at_]);
      if (is_word) {
        while (at_ < code_.size() && IsWordByte(code_[at_])) ++at_;
      } else {
        ++at_;
      }
      tokens.push_back({code_.substr(start, at_ - start), is_word});
    }
    return tokens;
  }

 private:
  bool Starts(std::string_view mark) const { return !mark.empty() && code_.substr(at_).starts_with(mark); }

  void SkipBehind(std::string_view mark) {
    const std::size_t found = code_.find(mark, at_);
    at_ = found == std::string_view::npos ? code_.size() : found + mark.size();
  }

  // Blanks, comments and texts.
  bool SkipUnread() {
    if (std::isspace(static_cast<unsigned char>(code_[at_])) != 0) {
      ++at_;
      return true;
    }
    if (Starts(syntax_.line_comment)) {
      SkipBehind("\n");
      return true;
    }
    if (syntax_.has_block_comments && Starts("/*")) {
      SkipBehind("*/");
      return true;
    }
    const char quote = code_[at_];
    if (quote != '"' && quote != '\'' && quote != '`') return false;
    const std::string_view three = code_.substr(at_, 3);
    if (!syntax_.has_block_comments && (three == "\"\"\"" || three == "'''")) {
      at_ += 3;
      SkipBehind(three);
      return true;
    }
    for (++at_; at_ < code_.size() && code_[at_] != quote; ++at_) {
      if (code_[at_] == '\\') ++at_;
      if (at_ < code_.size() && code_[at_] == '\n' && quote != '`') return true;
    }
    at_ = std::min(at_ + 1, code_.size());
    return true;
  }

  std::string_view code_;
  const Syntax& syntax_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<std::string> FreeCalls(std::string_view code, std::string_view lang) {
  const Syntax* syntax = FindSyntax(lang);
  if (syntax == nullptr) return {};
  const std::vector<Token> tokens = Scanner(code, *syntax).Scan();
  std::vector<std::string> calls;
  std::set<std::string_view>
      named;  // words that stand for something else than a call: defined, assigned, given
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const std::string_view word = tokens[at].text;
    if (!tokens[at].is_word || std::isdigit(static_cast<unsigned char>(word.front())) != 0) continue;
    const bool has_before = at > 0;
    const bool after_word = has_before && tokens[at - 1].is_word;
    const bool is_member = has_before && (tokens[at - 1].text == "." || tokens[at - 1].text == "$" ||
                                          tokens[at - 1].text == ":" || tokens[at - 1].text == ">");
    const bool is_call = at + 1 < tokens.size() && tokens[at + 1].text == "(";
    const bool defines =
        after_word && (Has(kDefining, tokens[at - 1].text) || !Has(kBeforeCalls, tokens[at - 1].text));
    if (is_member) continue;
    if (!is_call || defines) {
      named.insert(word);
    } else if (!Has(syntax->known, word) && std::find(calls.begin(), calls.end(), word) == calls.end()) {
      calls.emplace_back(word);
    }
  }
  std::erase_if(calls, [&named](const std::string& call) { return named.contains(call); });
  return calls;
}

}  // namespace assay::infibench
