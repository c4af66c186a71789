// Splits a text at marks, and cleans each part from both ends.
#include "text/prose/items.h"

#include <algorithm>

#include "base/text/ascii.h"
#include "text/javascript/text.h"
#include "text/json/json.h"
#include "text/prose/bullet.h"

namespace assay {

namespace {

constexpr std::string_view kQuotes[] = {"\"", "'", "`", "“", "”", "‘", "’", "«", "»"};

bool CutQuote(std::string_view& part) {
  // Of other scripts, or one of these.
  const auto may_quote = [](char c) { return (c & 0x80) != 0 || c == '"' || c == '\'' || c == '`'; };
  if (part.empty() || (!may_quote(part.front()) && !may_quote(part.back()))) return false;
  for (const std::string_view quote : kQuotes) {
    if (part.starts_with(quote)) return part.remove_prefix(quote.size()), true;
    if (part.ends_with(quote)) return part.remove_suffix(quote.size()), true;
  }
  return false;
}

std::string_view CleanItem(std::string_view part) {
  constexpr std::string_view kAnd = "and ";
  part = JsTrim(part);
  part = JsTrim(part.substr(BulletSize(part)));
  if (part.starts_with(kAnd)) part.remove_prefix(kAnd.size());
  for (bool goes_on = true; goes_on;) {
    part = JsTrim(part);
    goes_on = CutQuote(part);
    for (; part.ends_with('.'); goes_on = true) part.remove_suffix(1);
  }
  return part;
}

// The items of a JSON list, as they are written.
std::vector<std::string> JsonItems(std::string_view text, const List& list) {
  std::vector<std::string> items;
  for (const Value& item : list) {
    items.push_back(item.is_string() ? item.AsString()
                                     : std::string(text.substr(item.span.offset, item.span.length)));
  }
  return items;
}

// How many bytes part two items there; 0: none.
std::size_t MarkAt(std::string_view rest, std::string_view separator) {
  constexpr std::string_view kAnd = " and ";
  if (!separator.empty()) return rest.starts_with(separator) ? separator.size() : 0;
  const char c = rest.front();
  if (c == ',' || c == ';' || c == '\n' || c == '\r') return 1;
  return c == ' ' && rest.starts_with(kAnd) ? kAnd.size() : 0;
}

}  // namespace

std::vector<std::string> ItemsOf(std::string_view text, std::string_view separator) {
  const std::string_view trimmed = JsTrim(text);
  if (trimmed.starts_with('[')) {
    const Result<Value> json = ParseJson(trimmed);
    if (json && json->is_list()) return JsonItems(trimmed, json->AsList());
  }
  std::vector<std::string> items;
  std::size_t start = 0;
  const auto end_item = [&](std::size_t end) {
    const std::string_view item = CleanItem(text.substr(start, end - start));
    if (!item.empty()) items.emplace_back(item);
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t mark = MarkAt(text.substr(at), separator);
    if (mark > 0) {
      end_item(at);
      start = at + mark;
    }
    at += std::max<std::size_t>(mark, 1);
  }
  end_item(text.size());
  return items;
}

}  // namespace assay
