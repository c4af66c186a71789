// Splits ids of variants into model, maker, temperature and system prompt, by tables of known names.
#include "dialects/blueprint/lower/model_names.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "base/text/ascii.h"
#include "dialects/blueprint/write/sentences.h"
#include "text/javascript/text.h"

namespace assay::blueprint {
namespace {

constexpr std::string_view kIdealBase = "IDEAL_MODEL_ID";
constexpr std::string_view kUnknownMaker = "UNKNOWN";

struct Renaming {
  std::string_view from;
  std::string_view to;
};

// Dated and preview names of one model.
constexpr Renaming kSameModel[] = {
    {"grok-3-mini-beta", "grok-3-mini"},
    {"grok-4-mini-beta", "grok-4-mini"},
    {"grok-4-0709", "grok-4"},
    {"deepseek-chat-v3-0324", "deepseek-chat-v3"},
    {"claude-3-5-haiku-20241022", "claude-3-5-haiku"},
    {"claude-3-5-sonnet-20241022", "claude-3-5-sonnet"},
    {"claude-3-7-sonnet-20250219", "claude-3-7-sonnet"},
    {"claude-sonnet-4-20250514", "claude-sonnet-4"},
    {"claude-opus-4-20250514", "claude-opus-4"},
    {"claude-3-opus-20240229", "claude-3-opus"},
    {"gemini-2.5-flash-preview-05-20", "gemini-2.5-flash"},
    {"gemini-2.5-flash-preview", "gemini-2.5-flash"},
    {"gemini-2.5-pro-preview", "gemini-2.5-pro"},
};

// What stands in a model's name -> whose it is. The first row that fits counts.
constexpr Renaming kFamilies[] = {
    {"grok", "xai"},          {"gpt-", "openai"},       {"o1-", "openai"},    {"o4-", "openai"},
    {"claude", "anthropic"},  {"qwen", "qwen"},         {"gemini", "google"}, {"palm", "google"},
    {"gemma", "google"},      {"deepseek", "deepseek"}, {"llama", "meta"},    {"mistral", "mistralai"},
    {"mixtral", "mistralai"}, {"command", "cohere"},
};

// Providers that serve the models of others, as provider:maker/model.
constexpr std::string_view kRouters[] = {"openrouter:", "together:", "fireworks:", "replicate:"};

constexpr Renaming kMakersByProvider[] = {
    {"openai:", "OPENAI"},   {"anthropic:", "ANTHROPIC"}, {"google:", "GOOGLE"},     {"meta:", "META"},
    {"mistral:", "MISTRAL"}, {"cohere:", "COHERE"},       {"deepseek:", "DEEPSEEK"}, {"xai:", "XAI"},
    {"x-ai:", "XAI"},
};
constexpr Renaming kMakersByRoute[] = {
    {"meta-llama", "META"}, {"mistralai", "MISTRAL"}, {"moonshotai", "MOONSHOT"},
    {"x-ai", "XAI"},        {"X-AI", "XAI"},
};

constexpr Renaming kMakerTitles[] = {
    {"OPENAI", "OpenAI"},
    {"DEEPSEEK", "DeepSeek"},
    {"XAI", "xAI"},
    {"MOONSHOT", "Moonshot AI"},
};

template <std::size_t kSize>
std::string_view Find(const Renaming (&table)[kSize], std::string_view from) {
  const auto* row = std::find_if(std::begin(table), std::end(table),
                                 [&](const Renaming& renaming) { return renaming.from == from; });
  return row == std::end(table) ? std::string_view() : row->to;
}

bool IsDigitOrDot(char c) { return IsAsciiDigit(c) || c == '.'; }

bool IsDecimal(std::string_view text) {
  return !text.empty() && IsAsciiDigit(text.front()) && std::count(text.begin(), text.end(), '.') <= 1;
}

// Cuts the first "[key:text]" whose text is made of such characters and is accepted; "" if there is none.
std::string CutSuffix(std::string& id, std::string_view opening, bool (*is_inner)(char),
                      bool (*accepts)(std::string_view)) {
  for (std::size_t start = id.find(opening); start != std::string::npos;
       start = id.find(opening, start + 1)) {
    const std::size_t inner = start + opening.size();
    std::size_t end = inner;
    while (end < id.size() && is_inner(id[end])) ++end;
    std::string text = id.substr(inner, end - inner);
    if (text.empty() || end == id.size() || id[end] != ']' || !accepts(text)) continue;
    id.erase(start, end + 1 - start);
    return text;
  }
  return {};
}

std::optional<double> NumberOf(std::string_view digits) {
  if (digits.empty()) return std::nullopt;
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc::result_out_of_range ? std::numeric_limits<double>::infinity() : number;
}

// The part between the first and the second separator.
std::string_view SecondPart(std::string_view text, char separator) {
  text.remove_prefix(text.find(separator) + 1);
  return text.substr(0, text.find(separator));
}

bool IsRouted(std::string_view id) {
  return std::any_of(std::begin(kRouters), std::end(kRouters),
                     [&](std::string_view router) { return id.starts_with(router); });
}

std::string_view CoreName(std::string_view id) {
  if (IsRouted(id)) {
    const std::string_view path = id.substr(id.find(':') + 1);
    return path.find('/') == std::string_view::npos ? path : SecondPart(path, '/');
  }
  for (const char separator : {':', '/'}) {
    if (id.find(separator) != std::string_view::npos) return SecondPart(id, separator);
  }
  return id;
}

std::string BaseOf(std::string_view id) {
  std::string name(CoreName(id));
  if (const std::string_view same = Find(kSameModel, JsToLower(name)); !same.empty()) name = same;
  const std::string lower = JsToLower(name);
  for (const Renaming& family : kFamilies) {
    if (lower.find(family.from) != std::string::npos) return std::string(family.to) + ":" + name;
  }
  return id.find_first_of(":/") == std::string_view::npos ? name : std::string(id);
}

std::string MakerOf(std::string_view id) {
  for (const Renaming& provider : kMakersByProvider) {
    if (id.starts_with(provider.from)) return std::string(provider.to);
  }
  const std::size_t slash = id.find('/');
  if (!IsRouted(id) || slash == std::string_view::npos) return std::string(kUnknownMaker);
  const std::string_view route = SecondPart(id.substr(0, slash), ':');
  const std::string_view known = Find(kMakersByRoute, route);
  return known.empty() ? JsToUpper(route) : std::string(known);
}

void ReplaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

void ReplaceFirst(std::string& text, std::string_view from, std::string_view to) {
  if (const std::size_t at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
}

// "claude-3-5-haiku" -> "Claude 3.5 Haiku"
std::string Titled(std::string name) {
  ReplaceAll(name, "-3-7-", "-3.7-");
  ReplaceAll(name, "-3-5-", "-3.5-");
  std::string title;
  for (std::size_t start = 0; start <= name.size();) {
    const std::size_t end = std::min(name.find('-', start), name.size());
    std::size_t first = std::min<std::size_t>(1, end - start);
    while (start + first < end && (static_cast<unsigned char>(name[start + first]) & 0xc0) == 0x80) ++first;
    if (start > 0) title += ' ';
    title +=
        JsToUpper(name.substr(start, first)) + JsToLower(name.substr(start + first, end - start - first));
    start = end + 1;
  }
  for (const Renaming& word : {Renaming{"Gpt Oss", "GPT OSS"}, Renaming{"Gpt", "GPT"}, Renaming{"A3b", "A3B"},
                               Renaming{"Glm", "GLM"}}) {
    ReplaceFirst(title, word.from, word.to);
  }
  return title;
}

}  // namespace

ModelName ParseModelName(std::string_view variant_id) {
  ModelName name;
  if (variant_id == kIdealBenchmark || variant_id == kIdealBase) {
    name.base = kIdealBase;
    return name;
  }
  if (variant_id.empty()) {
    name.base = "Unknown";
    return name;
  }
  const auto any = [](std::string_view) { return true; };
  std::string rest(variant_id);
  CutSuffix(
      rest, "[shots:", [](char c) { return IsAsciiDigit(c) || c == '-'; }, any);
  name.temperature = NumberOf(CutSuffix(rest, "[temp:", IsDigitOrDot, IsDecimal));
  name.system_index = NumberOf(CutSuffix(rest, "[sp_idx:", IsAsciiDigit, any));
  if (const std::string hash = CutSuffix(rest, "[sys:", IsAsciiAlphanumeric<char>, any); !hash.empty()) {
    name.system_hash = "[sys:" + hash + "]";
    if (std::all_of(hash.begin(), hash.end(), IsAsciiDigit<char>)) name.system_index = NumberOf(hash);
  }
  for (const std::string_view apart : {"[label:", "[fallback:", "[max_tokens:", "[params:"})
    CutSuffix(
        rest, apart, [](char c) { return c != '[' && c != ']'; }, any);
  for (const std::string_view thinking : {"[effort:", "[thinking:", "[response_format:", "[thoughts:"})
    CutSuffix(rest, thinking, IsAsciiAlphanumeric<char>, any);
  name.base = BaseOf(JsTrim(rest));
  name.maker = MakerOf(variant_id);
  return name;
}

std::string MakerTitle(std::string_view maker) {
  if (const std::string_view known = Find(kMakerTitles, maker); !known.empty()) return std::string(known);
  if (maker.empty()) return {};
  return std::string(maker.substr(0, 1)) + JsToLower(maker.substr(1));
}

std::string ShortModelName(std::string_view base, NameStyle style) {
  std::string name = ParseModelName(base).base;
  name.erase(0, name.find(':') + 1);
  name.erase(0, name.find('/') + 1);
  return style == NameStyle::kTitle ? Titled(std::move(name)) : name;
}

}  // namespace assay::blueprint
