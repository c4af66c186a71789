// Collects diagnostics, suggests the nearest known word for a misspelled one, and quotes foreign text for a
// message.
#include "base/errors/diagnostics.h"

#include <algorithm>

#include "base/limits.h"
#include "base/text/edit_distance.h"
#include "base/text/printable.h"
#include "base/text/utf8.h"

namespace assay {

namespace {

// Longer words are never mistyped keys; the distance costs the product of both lengths.
constexpr std::size_t kSuggestedWordMax = 64;

// A word in the form in which a slip of the shift key, or of - for _, counts for nothing.
std::u32string Folded(std::string_view word) {
  std::u32string folded;
  for (std::size_t offset = 0; offset < word.size() && folded.size() <= kSuggestedWordMax;) {
    const DecodedCodePoint decoded = DecodeUtf8(word, offset);
    offset += decoded.size_bytes;
    const char32_t c = decoded.code_point;
    const bool is_upper = c >= U'A' && c <= U'Z';
    folded.push_back(is_upper ? c + (U'a' - U'A') : c == U'-' ? U'_' : c);
  }
  return folded;
}

// "shouldnt", "should't", "not_x": what is denied must not be taken for what is asserted.
bool Denies(std::u32string_view folded) {
  constexpr std::u32string_view kDenials[] = {U"not", U"dnt", U"n't", U"d't", U"never"};
  return std::any_of(std::begin(kDenials), std::end(kDenials), [folded](std::u32string_view denial) {
    return folded.find(denial) != std::u32string_view::npos;
  });
}

}  // namespace

void Diagnostics::Add(Diagnostic diagnostic) {
  // What is used in many places has its problem once.
  const bool is_told = std::any_of(all_.begin(), all_.end(), [&](const Diagnostic& each) {
    return each.where == diagnostic.where && each.code == diagnostic.code &&
           each.message == diagnostic.message;
  });
  if (is_told) return;
  if (diagnostic.severity == Severity::kError) ++error_count_;
  if (diagnostic.severity == Severity::kWarning) ++warning_count_;
  if (all_.size() >= limits::kDiagnosticsMax) {
    ++dropped_;
    // The newest of the least severe gives way, if it is less severe than what comes.
    const auto weakest =
        std::max_element(all_.rbegin(), all_.rend(),
                         [](const Diagnostic& a, const Diagnostic& b) { return a.severity < b.severity; });
    if (weakest->severity <= diagnostic.severity) return;
    all_.erase(std::next(weakest).base());
  }
  all_.push_back(std::move(diagnostic));
}

void Diagnostics::Error(std::string code, std::string message, Span where, std::string hint) {
  Add({Severity::kError, std::move(code), std::move(message), std::move(hint), where});
}

void Diagnostics::Warning(std::string code, std::string message, Span where, std::string hint) {
  Add({Severity::kWarning, std::move(code), std::move(message), std::move(hint), where});
}

void Diagnostics::Note(std::string code, std::string message, Span where, std::string hint) {
  Add({Severity::kNote, std::move(code), std::move(message), std::move(hint), where});
}

std::string_view DidYouMean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::u32string folded = Folded(word);
  if (folded.size() > kSuggestedWordMax) return {};
  std::string_view nearest;
  std::size_t nearest_distance = 0;
  for (const std::string_view candidate : candidates) {
    const std::u32string other = Folded(candidate);
    if (other.size() > kSuggestedWordMax || (Denies(folded) && !Denies(other))) continue;
    // A third of the longer word may differ: "on" suggests "no" by nothing but chance, "shoud" means
    // "should".
    const std::size_t longer = std::max(folded.size(), other.size());
    const std::size_t allowed = longer / 3;
    if (longer - std::min(folded.size(), other.size()) > allowed) continue;
    const std::size_t distance = EditDistance(folded, other);
    if (distance <= allowed && (nearest.empty() || distance < nearest_distance)) {
      nearest = candidate;
      nearest_distance = distance;
    }
  }
  return nearest;
}

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  // Readers name each prompt in case that they have to say something of it: most names stand as they are.
  const auto stands = [](char c) { return c >= 0x20 && c < 0x7f && c != '"'; };
  if (text.size() <= limits::kQuotedTextMax && std::all_of(text.begin(), text.end(), stands)) {
    quoted.reserve(text.size() + 2);
    return quoted.append(text).append(1, '"');
  }
  std::size_t offset = 0;
  for (std::size_t count = 0; offset < text.size() && count < limits::kQuotedTextMax; ++count) {
    const DecodedCodePoint decoded = DecodeUtf8(text, offset);
    offset += decoded.size_bytes;
    if (decoded.code_point == U'"') quoted.push_back('\\');
    AppendPrintable(decoded.code_point, quoted);
  }
  if (offset < text.size()) quoted += "…";
  quoted.push_back('"');
  return quoted;
}

}  // namespace assay
