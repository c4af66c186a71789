// Sorts texts for people: the Unicode Collation Algorithm with CLDR's root rules, like
// String.prototype.localeCompare (spec: blueprint 24.8), by ICU.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// Which differences count, by the names of Intl.Collator: letters; and accents; or letters and case;
// everything.
enum class Sensitivity { kBase, kAccent, kCase, kVariant };

struct CollateOptions {
  Sensitivity sensitivity = Sensitivity::kVariant;
  bool numeric = false;  // "2" before "10"
};

// Negative, zero or positive. Texts are WTF-8. Opens its rules at each call: sort by LocaleSortKeys.
int LocaleCompare(std::string_view a, std::string_view b, CollateOptions options = {});
int LocaleCompare(std::u16string_view a, std::u16string_view b, CollateOptions options = {});
// One key for each text; keys order by their bytes as the texts do. Opens its rules once.
std::vector<std::string> LocaleSortKeys(std::span<const std::string> texts, CollateOptions options = {});

}  // namespace assay
