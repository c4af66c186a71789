// Compares names letter by letter from both ends: a slip lies between.
#include "providers/facts/names/near_model.h"

#include <algorithm>
#include <vector>

#include "base/text/ascii.h"
#include "providers/facts/model_facts.h"

namespace assay {

namespace {

constexpr std::size_t kSlipMax = 2;        // letters that may differ
constexpr std::size_t kSlipLengthMin = 5;  // shorter names differ by chance

// "gpt-4o*" -> "gpt-4o"; "" of a whole line of models ("claude-*").
std::string_view NameOf(std::string_view pattern) {
  if (!pattern.ends_with('*')) return pattern;
  pattern.remove_suffix(1);
  return pattern.ends_with('-') ? std::string_view() : pattern;
}

// "-2024-07-18", "-latest", "@20250514", "-preview-09-2025"
bool IsDate(std::string_view rest) {
  constexpr std::string_view kWords[] = {"latest", "preview", "exp", "experimental", "beta", "fast", "v"};
  std::string_view left = rest;
  while (!left.empty()) {
    const std::size_t start = left.find_first_not_of("-@:._");
    if (start != 1) return false;
    left.remove_prefix(start);
    const std::size_t end = std::min(left.find_first_of("-@:._"), left.size());
    std::string_view word = left.substr(0, end);
    while (!word.empty() && IsAsciiDigit(word.back())) word.remove_suffix(1);
    if (!word.empty() && std::find(std::begin(kWords), std::end(kWords), word) == std::end(kWords))
      return false;
    left.remove_prefix(end);
  }
  return true;
}

bool IsOfModel(std::string_view name, std::string_view known) {
  return name == known || (name.starts_with(known) && IsDate(name.substr(known.size())));
}

// Brokers write versions with a dot, makers with a dash.
char Folded(char c) { return c == '.' ? '-' : AsciiLower(c); }

std::string WithoutDigits(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    if (!IsAsciiDigit(c)) letters += Folded(c);
  }
  return letters;
}

// How many letters of the longer name do not stand in both.
std::size_t Slip(std::string_view a, std::string_view b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t head = 0;
  while (head < shorter && Folded(a[head]) == Folded(b[head])) ++head;
  std::size_t tail = 0;
  while (tail + head < shorter && Folded(a[a.size() - 1 - tail]) == Folded(b[b.size() - 1 - tail])) ++tail;
  return std::max(a.size(), b.size()) - head - tail;
}

}  // namespace

std::string NearModel(std::string_view provider, std::string_view model) {
  std::string_view nearest;
  std::size_t least = kSlipMax + 1;
  for (const ModelRow& row : ModelRowsOf(provider)) {
    const std::string_view known = NameOf(row.model);
    if (known.size() < kSlipLengthMin) continue;
    if (IsOfModel(model, known)) return {};
    const std::size_t slip = Slip(model, known);
    if (slip == 0) return {};
    if (slip >= least) continue;
    least = slip;
    nearest = known;
  }
  // A broker names models by vendor.
  if (const std::size_t slash = model.find('/'); slash != std::string_view::npos && nearest.empty()) {
    const std::string near = NearModel(model.substr(0, slash), model.substr(slash + 1));
    return near.empty() ? near : std::string(model.substr(0, slash + 1)) + near;
  }
  return WithoutDigits(nearest) == WithoutDigits(model) ? std::string() : std::string(nearest);
}

}  // namespace assay
