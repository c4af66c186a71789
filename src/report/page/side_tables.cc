// The page's side tables: system prompts, errors (which no score contains), judges.
#include <cmath>

#include <fmt/core.h>

#include "report/page/parts.h"

namespace assay {
namespace {

constexpr std::size_t kSystemBytesShown = 2'000;

std::string_view WhatFailed(Fault::Of of) {
  switch (of) {
    case Fault::Of::kAnswer:
      return "No answer";
    case Fault::Of::kPoint:
      return "Not graded";
    case Fault::Of::kVerdict:
      return "◐ No verdict";
    case Fault::Of::kVote:
      return "Scored, but a vote is missing";
  }
  return "";
}

void WriteFault(HtmlWriter& page, const PageModel& model, const Fault& fault) {
  const Case& the_case = model.suite->cases[fault.case_index];
  page.Raw("<tr><td>").Raw(WhatFailed(fault.of));
  page.Raw(fmt::format("<td class=n>{}<td>", GroupDigits(fault.count))).Text(fault.message).Raw("<td>");
  const std::uint32_t rank = model.rank_of[fault.variant];
  const bool is_shown = model.Shows(fault.case_index, fault.variant);
  if (is_shown) page.Raw(fmt::format("<a href=#c{}v{}>", fault.case_index, rank));
  page.CutText(the_case.id, kNameBytesMax).Raw(" × ");
  page.CutText(model.suite->variants[fault.variant].id, kNameBytesMax).Raw(is_shown ? "</a>\n" : "\n");
}

bool IsBackup(const Suite& suite, const JudgeVotes& judge) {
  return suite.backup_judge && suite.backup_judge->label == judge.label;
}

// Null: its votes are none of the panel's.
const JudgeReliability* FindJudge(const Reliability& reliability, std::string_view label) {
  for (const JudgeReliability& judge : reliability.judges) {
    if (judge.judge == label) return &judge;
  }
  return nullptr;
}

// The share of pairs of votes on one point that are equal; "–" of a judge that was asked once.
std::string SameAgain(const JudgeReliability* judge) {
  if (judge == nullptr || !judge->self.equal_pairs) return "–";
  return fmt::format("{:.0f} %", 100 * *judge->self.equal_pairs);
}

}  // namespace

void WriteSystems(HtmlWriter& page, const PageModel& model) {
  const std::vector<std::string>& systems = model.systems.values;
  if (systems.empty() || (systems.size() == 1 && systems[0].empty())) return;
  page.Raw(systems.size() == 1 ? "<section><h2>System prompt</h2>" : "<section><h2>System prompts</h2>");
  page.Raw(systems.size() == 1 ? "<ol class=\"systems one\">" : "<ol class=systems start=0>");
  for (const std::string& system : systems) {
    page.Raw("<li>");
    if (system.empty()) {
      page.Raw("<p class=meta>none</p>");
    } else {
      page.Raw("<p class=t>").CutText(system, kSystemBytesShown).Raw("</p>");
    }
  }
  page.Raw("</ol></section>\n");
}

void WriteSuiteTables(HtmlWriter& page, const PageModel& model) {
  for (const ReportTable& table : model.report->tables) {
    page.Raw("<section><h2>").Text(table.title);
    page.Raw("</h2><div class=scroll><table class=side><thead><tr>");
    for (const std::string& name : table.head) page.Raw("<th scope=col>").Text(name);
    page.Raw("</thead><tbody>\n");
    for (const std::vector<std::string>& row : table.rows) {
      page.Raw("<tr>");
      for (const std::string& cell : row)
        page.Raw(&cell == &row.front() ? "<td>" : "<td class=n>").Text(cell);
      page.Raw("\n");
    }
    page.Raw("</tbody></table></div></section>\n");
  }
}

void WriteFaults(HtmlWriter& page, const PageModel& model) {
  const PageTally& tally = model.tally;
  if (tally.faults.empty()) return;
  page.Raw(
      "<section id=errors><h2>Errors</h2><p>What could not be asked or graded. Nothing of this counts in any "
      "mean, "
      "least of all as a 0. What has no verdict (◐) is asked for again by the same command.</p><div "
      "class=scroll><table class=side><thead><tr><th scope=col>What<th "
      "scope=col "
      "class=n>Times<th scope=col>Why<th scope=col>First</thead><tbody>\n");
  for (const Fault& fault : tally.faults) WriteFault(page, model, fault);
  page.Raw("</tbody></table></div>");
  if (tally.more_faults > 0) {
    page.Raw(fmt::format("<p class=meta>and {} more of other kinds</p>", GroupDigits(tally.more_faults)));
  }
  page.Raw("</section>\n");
}

void WriteJudges(HtmlWriter& page, const PageModel& model) {
  const PageTally& tally = model.tally;
  if (tally.judges.empty()) return;
  page.Raw("<section id=judges><h2>Judges</h2><p>");
  if (tally.judged == 0) {
    page.Raw("One judge voted on each point.");
  } else {
    page.Raw(fmt::format("Several judges voted on {} {}. ", GroupDigits(tally.judged),
                         tally.judged == 1 ? "point" : "points"));
    page.Raw(tally.split == 0
                 ? "On none are two votes half the scale apart."
                 : fmt::format("On {} of them, two votes are half the scale apart or more: marked "
                               "<span class=split>disagree</span>.",
                               GroupDigits(tally.split)));
  }
  const Reliability& reliability = model.statistics->reliability;
  if (!reliability.sentence.empty()) page.Raw(" ").Text(reliability.sentence);
  page.Raw(
      "</p><div class=scroll><table class=side><thead><tr><th scope=col>Judge<th scope=col class=n>Votes<th "
      "scope=col class=n>Mean vote<th scope=col class=n>Distance from the mean of all<th scope=col "
      "class=n>Same vote again<th scope=col class=n>Against its words</thead><tbody>\n");
  for (const JudgeVotes& judge : tally.judges) {
    const auto votes = static_cast<double>(judge.votes);
    page.Raw("<tr><td>").Text(judge.label).Raw(IsBackup(*model.suite, judge) ? " (backup)" : "");
    const JudgeReliability* known = FindJudge(reliability, judge.label);
    page.Raw(fmt::format("<td class=n>{}<td class=n>{}<td class=n>{}<td class=n>{}<td class=n>{}\n",
                         GroupDigits(judge.votes), ScoreText(judge.sum / votes, kTableDigits),
                         ScoreText(judge.distance / votes, kTableDigits), SameAgain(known),
                         known == nullptr ? "–" : GroupDigits(known->against)));
  }
  page.Raw("</tbody></table></div></section>\n");
}

}  // namespace assay
