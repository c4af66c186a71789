// Compares texts and makes sort keys by ICU's root collation.
#include "text/letters/collate.h"

#include <unicode/ucol.h>

#include <memory>

#include "base/text/utf8.h"

namespace assay {

namespace {

struct CloseCollator {
  void operator()(UCollator* collator) const { ucol_close(collator); }
};
using Collator = std::unique_ptr<UCollator, CloseCollator>;

UCollationStrength Strength(Sensitivity sensitivity) {
  switch (sensitivity) {
    case Sensitivity::kBase:
    case Sensitivity::kCase:
      return UCOL_PRIMARY;
    case Sensitivity::kAccent:
      return UCOL_SECONDARY;
    case Sensitivity::kVariant:
      return UCOL_TERTIARY;
  }
  return UCOL_TERTIARY;
}

Collator Open(const CollateOptions& options) {
  UErrorCode status = U_ZERO_ERROR;
  Collator collator(ucol_open("", &status));
  if (collator == nullptr) return collator;
  ucol_setStrength(collator.get(), Strength(options.sensitivity));
  const auto set = [&](UColAttribute attribute, bool on) {
    if (on) ucol_setAttribute(collator.get(), attribute, UCOL_ON, &status);
  };
  set(UCOL_CASE_LEVEL, options.sensitivity == Sensitivity::kCase);
  set(UCOL_NUMERIC_COLLATION, options.numeric);
  set(UCOL_NORMALIZATION_MODE, true);
  return collator;
}

}  // namespace

int LocaleCompare(std::u16string_view a, std::u16string_view b, CollateOptions options) {
  const Collator collator = Open(options);
  if (collator == nullptr)
    return a.compare(b);  // an ICU without its data files: any fixed order is better than none
  return ucol_strcoll(collator.get(), a.data(), static_cast<int32_t>(a.size()), b.data(),
                      static_cast<int32_t>(b.size()));
}

int LocaleCompare(std::string_view a, std::string_view b, CollateOptions options) {
  return LocaleCompare(ToUtf16(a), ToUtf16(b), options);
}

std::vector<std::string> LocaleSortKeys(std::span<const std::string> texts, CollateOptions options) {
  const Collator collator = Open(options);
  if (collator == nullptr) return {texts.begin(), texts.end()};
  std::vector<std::string> keys;
  keys.reserve(texts.size());
  for (const std::string& text : texts) {
    const std::u16string units = ToUtf16(text);
    const auto length = static_cast<int32_t>(units.size());
    const int32_t size = ucol_getSortKey(collator.get(), units.data(), length, nullptr, 0);
    std::vector<uint8_t> bytes(static_cast<std::size_t>(size));
    ucol_getSortKey(collator.get(), units.data(), length, bytes.data(), size);
    keys.emplace_back(bytes.begin(), bytes.end());
  }
  return keys;
}

}  // namespace assay
