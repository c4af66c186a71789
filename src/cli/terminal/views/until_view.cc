// Builds the table of looks and the notes below the table of variants.
#include "cli/terminal/views/until_view.h"

#include <fmt/core.h>

#include "cli/terminal/text_table.h"
#include "engine/words.h"
#include "report/decide/until/last_looks.h"
#include "statistics/sequential/stop_sentences.h"

namespace assay {

std::string LookedAtText(const UntilRun& run, const Screen& screen) {
  const std::vector<LastLook> looks = LastLooksOf(run);
  if (looks.empty()) return {};
  TextTable table({{"difference"},
                   {"cases", Align::kRight},
                   {"95 %, whole suite", Align::kRight},
                   {"95 %, cases of this kind", Align::kRight},
                   {"state"}});
  for (const LastLook& each : looks) {
    table.Add({Printable(each.pair), CountText(each.cases), LimitsText(each.suite), LimitsText(each.world),
               std::string(PairStateName(each.state))});
  }
  return "\n" + table.Text(screen);
}

std::string EarlyNote(const UntilRun& run) {
  std::string text = "95 %: holds whenever the run ends\n";
  for (const QuestionCourse& course : run.course.questions()) {
    if (!course.race) continue;
    for (const DroppedVariant& dropped : course.race->dropped()) {
      text += fmt::format("#{}: {} after {}\n", dropped.variant + 1, dropped.by ? "dropped" : "given up",
                          Counted(run.rule.table.CasesBefore(dropped.after), "case"));
    }
  }
  if (run.other_orders > 0) {
    text += fmt::format("{} of this suite {} tried\n", Counted(run.other_orders, "other order"),
                        run.other_orders == 1 ? "was" : "were");
  }
  return text;
}

}  // namespace assay
