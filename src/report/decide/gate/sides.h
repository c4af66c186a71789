// What the two sides of a comparison differ in beside their scores: who answered, and who judged.
#pragma once

#include <optional>
#include <string>

namespace assay {

struct Suite;
struct Variant;

// Names for people, joined by commas.
struct OtherNames {
  std::string fresh;
  std::string base;
};

// The models that the two variants ask, where they are known to be different ones.
std::optional<OtherNames> OtherModels(const Variant& fresh, const Variant& base);
// The same of one model's name, by what replies say of who answered (ServedNames).
std::optional<OtherNames> OtherServed(const std::string& fresh, const std::string& base);
// The judges of the two runs, where both are known and they are not the same.
std::optional<OtherNames> OtherJudges(const Suite& fresh, const Suite& base);
// "Answered by different models: a here, b in the base. Graded by different judges: …"; "": not that anybody
// knows.
std::string SidesText(const std::optional<OtherNames>& models, const std::optional<OtherNames>& judges);

}  // namespace assay
