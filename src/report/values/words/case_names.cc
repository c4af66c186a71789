// The id of a case, and its title where nobody named it.
#include "report/values/words/case_names.h"

#include "report/values/words/texts.h"
#include "spec/suite/case.h"

namespace assay {

std::string TitleOfCase(const Case& the_case) {
  for (auto turn = the_case.turns.rbegin(); turn != the_case.turns.rend(); ++turn) {
    if (turn->role == Role::kUser && turn->kind == TurnKind::kText) return TitleOf(turn->text);
  }
  if (!the_case.askings->empty() && !the_case.askings->front().text.empty())
    return TitleOf(the_case.askings->front().text);
  return TitleOf(*the_case.description);
}

bool IsMadeId(std::string_view id) {
  constexpr std::string_view kBegin = "hash-";
  constexpr std::size_t kDigits = 12;
  return id.size() == kBegin.size() + kDigits && id.starts_with(kBegin) &&
         id.substr(kBegin.size()).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string SpokenCase(const Case& the_case) {
  if (!IsMadeId(the_case.id)) return the_case.id;
  const std::string title = TitleOfCase(the_case);
  return title.empty() ? the_case.id : the_case.id + ": " + title;
}

}  // namespace assay
