// Finds open tags, and the names in expressions.
#include "text/nunjucks/tags.h"

#include <algorithm>
#include <vector>

#include "base/text/ascii.h"
#include "text/javascript/text.h"

namespace assay {

namespace {

struct TagKind {
  std::string_view open;
  char end;  // the first character of what closes it
  std::string_view close;
};
constexpr TagKind kTagKinds[] = {{"{%", '%', "%}"}, {"{{", '}', "}}"}, {"{#", '#', "#}"}};

// What is there in every template.
constexpr std::string_view kEverywhere[] = {"env", "range", "cycler", "joiner", "loop", "caller", "super"};
constexpr std::string_view kWords[] = {"and",  "or",   "not",   "in",   "is",  "if",
                                       "else", "true", "false", "none", "null"};

bool IsWord(std::string_view text) {
  return std::find(std::begin(kWords), std::end(kWords), text) != std::end(kWords);
}

bool IsLineEndAt(std::string_view text, std::size_t at) {
  if (at == text.size() || text[at] == '\n' || text[at] == '\r') return true;
  const std::string_view rest = text.substr(at);
  return rest.starts_with("\xE2\x80\xA8") || rest.starts_with("\xE2\x80\xA9");
}

bool IsNameStart(char byte) { return IsAsciiLetter(byte) || byte == '_' || byte == '$'; }
bool IsNamePart(char byte) { return IsNameStart(byte) || IsAsciiDigit(byte); }

// `{% raw %}` with blanks as it may have.
bool HasTag(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find("{%"); at != std::string_view::npos; at = text.find("{%", at + 1)) {
    const std::size_t close = text.find("%}", at);
    if (close == std::string_view::npos) return false;
    if (JsTrim(text.substr(at + 2, close - at - 2)) == name) return true;
  }
  return false;
}

struct Token {
  std::string_view text;  // a name, or one sign
  bool is_name = false;
};

// Names and signs; texts and numbers are left out.
std::vector<Token> TokensOf(std::string_view expression) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < expression.size();) {
    const char byte = expression[at];
    const std::size_t start = at++;
    if (byte == '"' || byte == '\'') {
      while (at < expression.size() && expression[at] != byte) at += expression[at] == '\\' ? 2 : 1;
      ++at;
      tokens.push_back({"\"", false});
    } else if (IsNameStart(byte)) {
      while (at < expression.size() && IsNamePart(expression[at])) ++at;
      tokens.push_back({expression.substr(start, at - start), true});
    } else if (IsAsciiDigit(byte)) {
      while (at < expression.size() && (IsNamePart(expression[at]) || expression[at] == '.')) ++at;
      tokens.push_back({"0", false});
    } else if (byte != ' ' && byte != '\n' && byte != '\t' && byte != '\r') {
      tokens.push_back({expression.substr(start, 1), false});
    }
  }
  return tokens;
}

class Names {
 public:
  explicit Names(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      const auto kind = std::find_if(std::begin(kTagKinds), std::end(kTagKinds), [&](const TagKind& each) {
        return text.substr(at).starts_with(each.open);
      });
      if (kind == std::end(kTagKinds)) {
        ++at;
        continue;
      }
      const std::size_t close = std::min(text.find(kind->close, at + 2), text.size());
      if (kind->end != '#') Add(TokensOf(text.substr(at + 2, close - at - 2)), kind->end == '%');
      at = std::min(close + 2, text.size());
    }
  }

  bool HasUnknown(const Map& variables) const {
    return std::any_of(used_.begin(), used_.end(), [&](std::string_view name) {
      const auto is_in = [name](const auto& names) {
        return std::find(std::begin(names), std::end(names), name) != std::end(names);
      };
      const Value* value = variables.Find(name);
      return (value == nullptr || value->is_undefined()) && !is_in(bound_) && !is_in(kEverywhere);
    });
  }

 private:
  void Add(std::vector<Token> tokens, bool is_tag) {
    if (!tokens.empty() && tokens.front().text == "-") tokens.erase(tokens.begin());
    if (tokens.empty()) return;
    const std::string_view tag = is_tag && tokens.front().is_name ? tokens.front().text : std::string_view();
    if (is_tag && tokens.front().is_name) tokens.erase(tokens.begin());
    if (tag == "filter" || tag.starts_with("end")) return;
    std::size_t at = 0;
    const std::string_view until = tag == "for" ? "in" : tag == "set" ? "=" : tag == "macro" ? ")" : "";
    if (!until.empty()) {
      for (; at < tokens.size() && tokens[at].text != until; ++at) {
        if (tokens[at].is_name) bound_.push_back(tokens[at].text);
      }
    }
    for (; at < tokens.size(); ++at) Use(tokens, at);
  }

  void Use(const std::vector<Token>& tokens, std::size_t at) {
    const Token& token = tokens[at];
    if (!token.is_name || IsWord(token.text)) return;
    const auto sign = [&](std::size_t place) {
      return place < tokens.size() ? tokens[place].text : std::string_view();
    };
    const std::string_view before = at == 0 ? std::string_view() : tokens[at - 1].text;
    const bool is_test = before == "is" || (before == "not" && at > 1 && tokens[at - 2].text == "is");
    const bool is_argument = sign(at + 1) == "=" && sign(at + 2) != "=";
    const bool is_key = sign(at + 1) == ":" && (before == "{" || before == ",");
    if (before != "." && before != "|" && !is_test && !is_argument && !is_key) used_.push_back(token.text);
  }

  std::vector<std::string_view> used_;
  std::vector<std::string_view> bound_;
};

bool IsBlank(char byte) { return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r'; }

std::string_view WithoutBlanks(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  return text;
}

// The characters before a blank, a brace or one of `ends`; `text` loses them.
std::string_view TakeWord(std::string_view& text, std::string_view ends) {
  std::size_t size = 0;
  while (size < text.size() && !IsBlank(text[size]) && text[size] != '{' && text[size] != '}' &&
         ends.find(text[size]) == std::string_view::npos)
    ++size;
  const std::string_view word = text.substr(0, size);
  text.remove_prefix(size);
  return word;
}

std::string WithoutComments(std::string_view text) {
  std::string rest;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find("{#", at);
    const std::size_t close = open == std::string_view::npos ? open : text.find("#}", open + 2);
    rest += text.substr(at, close == std::string_view::npos ? std::string_view::npos : open - at);
    if (close == std::string_view::npos) return rest;
    at = close + 2;
  }
  return rest;
}

// The name of `{{ name | filters }}`, of text behind the braces; "" for every other expression.
std::string_view NameInBraces(std::string_view text) {
  text = WithoutBlanks(text);
  const std::string_view word = TakeWord(text, "|");
  text = WithoutBlanks(text);
  if (text.starts_with('|')) text.remove_prefix(std::min(text.find('}'), text.size()));
  return text.starts_with("}}") ? word : std::string_view();
}

// The words of `if WORD` and `for WORD`, with what `for a in b` binds.
void AddTagNames(std::string_view text, std::vector<std::string_view>& names,
                 std::vector<std::string_view>& bound) {
  text = WithoutBlanks(text);
  const bool is_for = text.starts_with("for");
  if (!is_for && !text.starts_with("if")) return;
  text.remove_prefix(is_for ? 3 : 2);
  if (text.empty() || !IsBlank(text.front())) return;
  text = WithoutBlanks(text);
  const std::string_view word = TakeWord(text, "");
  if (word.empty() || text.substr(0, text.find('\n')).find("%}") == std::string_view::npos) return;
  names.push_back(word);
  text = WithoutBlanks(text);
  if (!is_for || !text.starts_with("in") || text.size() < 3 || !IsBlank(text[2])) return;
  text = WithoutBlanks(text.substr(2));
  const std::string_view list = TakeWord(text, "%");
  if (!std::all_of(list.begin(), list.end(), IsNamePart) || !WithoutBlanks(text).starts_with("%}")) return;
  bound.push_back(word);
  names.push_back(list);
}

}  // namespace

bool HasOpenTag(std::string_view text) {
  for (const TagKind& kind : kTagKinds) {
    for (std::size_t at = text.find(kind.open); at != std::string_view::npos;
         at = text.find(kind.open, at + 1)) {
      std::size_t end = at + kind.open.size();
      while (!IsLineEndAt(text, end) && text[end] != kind.end) ++end;
      if (IsLineEndAt(text, end)) return true;
    }
  }
  return false;
}

std::string RawIfOpen(std::string_view text) {
  const bool is_wrapped = HasTag(text, "raw") && HasTag(text, "endraw");
  if (is_wrapped || !HasOpenTag(text)) return std::string(text);
  return "{% raw %}" + std::string(text) + "{% endraw %}";
}

bool NamesUnknown(std::string_view text, const Map& variables) { return Names(text).HasUnknown(variables); }

bool NamesUnknownThere(std::string_view text, const Map& variables) {
  const std::string plain = WithoutComments(text);
  std::vector<std::string_view> names;
  std::vector<std::string_view> bound;
  for (std::size_t at = plain.find('{'); at != std::string::npos; at = plain.find('{', at + 1)) {
    const std::string_view rest = std::string_view(plain).substr(at);
    if (rest.starts_with("{{")) names.push_back(NameInBraces(rest.substr(2)));
    if (rest.starts_with("{%")) AddTagNames(rest.substr(2), names, bound);
  }
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
    if (std::find(bound.begin(), bound.end(), name) != bound.end()) return false;
    std::size_t size = 0;
    while (size < name.size() && IsNamePart(name[size]) && name[size] != '$') ++size;
    const std::string_view root = name.substr(0, size);
    if (root.empty() || IsAsciiDigit(root.front()) || root == "env") return false;
    const Value* value = variables.Find(root);
    return value == nullptr || value->is_undefined();
  });
}

}  // namespace assay
