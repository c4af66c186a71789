// Decides after each round which judges to ask next: all on every criterion, again where a reply could not be
// read, those without a code where a vote was lost to doubt, then the backup judge.
#include "checks/judge/panel.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/errors/diagnostics.h"
#include "checks/judge/reading/json.h"
#include "checks/judge/reading/judged_answer.h"
#include "checks/judge/reading/judges_reply.h"
#include "checks/judge/reading/reply_marks.h"
#include "spec/limits.h"
#include "spec/suite/suite.h"
#include "text/chat_tokens.h"

namespace assay {
namespace {

// The default backup is the same model as a judge: its request has to be another one, or the reply that could
// not be read would be found again.
std::uint32_t BackupVote(const JudgePanel& panel) { return panel.rules.votes; }

// What one judge says of one criterion, among others that are asked at the same time.
struct Dialogue {
  const Judge* judge = nullptr;
  RequestRole role = RequestRole::kJudge;
  std::size_t criterion = 0;
  std::uint32_t vote_number = 0;  // from 0
  std::uint32_t repairs = 0;      // repair questions, and as many repeats with more room
  bool needs_code = false;        // a vote on the criterion was lost to doubt
  std::vector<const Exchange*> said = {};
  std::optional<Vote> vote = {};  // once it has ended
};

// The format's own tool does not look at how a reply ends.
bool RefusesCut(const JudgePanel& panel) {
  return panel.reading != JudgeReading::kFirstTags || panel.rules.form == VerdictForm::kJson;
}

// Whether the judges' replies are compared with what they were shown. The format's own tool does not.
bool Looks(const JudgePanel& panel) { return panel.reading != JudgeReading::kFirstTags; }

// What a panel is asked about one answer.
struct Hearing {
  const AskInput& input;
  std::span<const std::string> criteria;
  JudgedAnswer answer;  // holds nothing where the format's own tool does not look
  const JudgePanel& panel() const { return *input.panel; }
  bool looks() const { return Looks(panel()); }
};

bool IsRefusedCut(const Hearing& hearing, const Exchange& exchange) {
  return RefusesCut(hearing.panel()) && !IsWhole(exchange);
}

Result<JudgeVerdict> VerdictIn(const Hearing& hearing, const JudgedAnswer& answer, const Exchange& exchange) {
  const JudgePanel& panel = hearing.panel();
  if (exchange.error) return Error{ErrorCode::kInvalidInput, exchange.error->message};
  if (IsRefusedCut(hearing, exchange)) {
    const std::string& end = std::get<ModelReply>(exchange.reply).finish_reason;
    return UnreadableReply(
        fmt::format("a whole verdict and not one that was cut ({}); give the judge a higher "
                    "max_tokens if it stays so",
                    Quoted(end)),
        ReplyText(exchange));
  }
  const std::string text = ReplyText(exchange);
  return panel.rules.form == VerdictForm::kJson ? ParseJudgeJson(text, &answer)
                                                : ParseJudgeReply(text, panel.reading, &answer);
}

// Whether the judge gave something of the form of a verdict that may be a quotation. From then on, only the
// code shows what is its own.
bool WasDoubted(const Hearing& hearing, std::span<const Exchange* const> said) {
  return std::any_of(said.begin(), said.end(), [&hearing](const Exchange* each) {
    const Result<JudgeVerdict> verdict = VerdictIn(hearing, hearing.answer, *each);
    return !verdict && verdict.error().code == ErrorCode::kRefused;
  });
}

// Whether a judge got no request because it fell silent while others were judged, or lost some of its votes.
bool IsHeardInPart(const Vote& vote) {
  constexpr std::string_view kWhy[] = {kJudgeFellSilent, kVotesAreMissing};
  return !vote && std::any_of(std::begin(kWhy), std::end(kWhy), [&vote](std::string_view why) {
    return vote.error().message.find(why) != std::string::npos;
  });
}

// Whether one is so on this criterion. A mean of the others would be that of another panel than the rest of
// the run has, and an answer can be what silenced the judge.
bool LacksJudgeInPart(const Hearing& hearing, std::span<const Vote> verdicts) {
  return hearing.looks() && std::any_of(verdicts.begin(), verdicts.end(), IsHeardInPart);
}

// Whether the judge replied something that no codec could read, and is asked once more.
bool IsUnread(const Hearing& hearing, const Exchange& exchange) {
  return hearing.looks() && IsUnreadReply(exchange);
}

// Whether one of the judge's replies has no verdict, or cannot be read: a quotation may have broken it.
bool MayHaveQuoted(const Hearing& hearing, std::span<const Exchange* const> said) {
  return hearing.looks() && std::any_of(said.begin(), said.end(), [&hearing](const Exchange* each) {
           if (IsUnreadReply(*each) || HasCalls(*each) || IsRefusedCut(hearing, *each)) return true;
           return !each->error && !VerdictIn(hearing, hearing.answer, *each);
         });
}

// Why a reply is no vote. If it may be a quotation, the error says so.
Error WithoutVote(const Hearing& hearing, const Dialogue& dialogue, Error error) {
  const bool is_doubted = error.code == ErrorCode::kRefused || MayHaveQuoted(hearing, dialogue.said);
  error.code = ErrorCode::kInvalidInput;
  if (hearing.answer.HoldsVerdicts()) {
    error.message = fmt::format("{}: {}", kAnswerHoldsVerdicts, error.message);
  } else if (is_doubted) {
    error.message = fmt::format("{}: {}", kVerdictDoubted, error.message);
  }
  return error;
}

// All that a judge is shown and could quote. The answer stands alone as well: an answer of several turns may
// give a class that the conversation holds in pieces.
JudgedAnswer WhatIsJudged(const AskInput& input, std::span<const std::string> criteria) {
  const Transcript& transcript = input.grade.transcript;
  std::string material =
      fmt::format("{}\n\n{}\n\n{}", transcript.SubjectText(),
                  JudgeTranscript(transcript, input.grade.the_case), input.panel->suite_description);
  for (const std::string& criterion : criteria) material += "\n\n" + criterion;
  return JudgedAnswer(material);
}

// The limit of tokens for a judge whose reply was cut at `limit`.
std::int64_t MoreRoom(std::optional<std::int64_t> limit) {
  constexpr std::int64_t kFactor = 4;
  constexpr std::int64_t kUnknown = 1'500;  // what most services are sent where nobody says a limit
  return std::min(limit.value_or(kUnknown) * kFactor, std::max(limit.value_or(0), limits::kAnswerTokensMax));
}

// So many requests go out for one vote.
std::uint32_t RequestsMax(const JudgePanel& panel, std::uint32_t repairs) {
  const std::uint32_t repeats = (RefusesCut(panel) ? 2 : 1) * repairs;
  return 1 + (Looks(panel) ? std::max(repeats, 1u) : repeats);
}

// Whether the judge is asked once more after its last reply. A cut reply takes none of the repair questions
// away, since no code was asked for there: each kind has its own bound. The first reply that may quote is
// never the last one: a later run repeats the question after it, and so keeps the doubt
// (engine/write/unvoted.h).
bool MayAskAgain(const Hearing& hearing, const Dialogue& dialogue) {
  const auto is_cut = [&hearing](const Exchange* each) { return IsRefusedCut(hearing, *each); };
  const std::span<const Exchange* const> said = dialogue.said;
  if (said.size() >= RequestsMax(hearing.panel(), dialogue.repairs)) return false;
  const auto cut = static_cast<std::size_t>(std::count_if(said.begin(), said.end(), is_cut));
  if ((is_cut(said.back()) ? cut : said.size() - cut) <= dialogue.repairs) return true;
  return MayHaveQuoted(hearing, said.last(1)) && !MayHaveQuoted(hearing, said.first(said.size() - 1));
}

// What the last reply makes of it; nothing if the judge has to be asked (again).
std::optional<Vote> VoteOf(const Hearing& hearing, const Dialogue& dialogue) {
  if (dialogue.said.empty()) return std::nullopt;
  const Exchange& last = *dialogue.said.back();
  if (last.error && !IsRefusedCut(hearing, last) && !IsUnread(hearing, last)) {
    return Vote(MayHaveQuoted(hearing, dialogue.said) ? WithoutVote(hearing, dialogue, *last.error)
                                                      : *last.error);
  }
  const bool needs_code =
      dialogue.needs_code || WasDoubted(hearing, std::span(dialogue.said).first(dialogue.said.size() - 1));
  Result<JudgeVerdict> verdict =
      VerdictIn(hearing, needs_code ? hearing.answer.NeedingCode() : hearing.answer, last);
  const bool is_repair = dialogue.said.size() > 1;
  if (verdict) {
    return Vote(Judgement{.score = verdict->score,
                          .reflection = verdict->reflection,
                          .judge = dialogue.judge->label,
                          .repaired = is_repair,
                          .against = SpeaksAgainst(verdict->reflection, verdict->score) ? 1u : 0u});
  }
  if (!MayAskAgain(hearing, dialogue))
    return Vote(WithoutVote(hearing, dialogue, std::move(verdict).error()));
  return std::nullopt;
}

// What the user showed the candidate, as far as the judge sees such things.
void AddMedia(const Transcript& transcript, const MediaKinds& sees, Message& question) {
  for (const Message& said : transcript.history) {
    for (const MediaPart& part : said.media) {
      if (sees.Has(part.kind)) question.media.push_back(part);
    }
  }
}

// A backup judge is asked again only after a reply that may quote.
bool AsksBackupForCode(const Dialogue& dialogue) {
  return dialogue.needs_code && dialogue.role == RequestRole::kBackupJudge;
}

PlannedRequest AskJudge(const Hearing& hearing, const Dialogue& dialogue) {
  const AskInput& input = hearing.input;
  const JudgePanel& panel = hearing.panel();
  const std::string& criterion = hearing.criteria[dialogue.criterion];
  const Judge& judge = *dialogue.judge;
  const bool asks_at_once = hearing.answer.AsksAtOnce() || AsksBackupForCode(dialogue);
  ModelRequest request{judge};
  request.params = judge.params;
  request.messages = BuildJudgePrompt({.transcript = input.grade.transcript,
                                       .the_case = input.grade.the_case,
                                       .criterion = criterion,
                                       .suite_description = panel.suite_description,
                                       .approach = judge.approach,
                                       .form = panel.rules.form,
                                       .code = asks_at_once ? std::string_view(hearing.answer.code()) : ""});
  AddMedia(input.grade.transcript, judge.sees, request.messages.back());
  for (const Exchange* unreadable : dialogue.said) {
    if (IsRefusedCut(hearing, *unreadable)) {  // the same question, with more room
      request.params.max_tokens = MoreRoom(request.params.max_tokens);
      continue;
    }
    const std::string repair = JudgeRepairMessage(panel.rules.form, hearing.answer.code());
    if (unreadable->error) {  // there are no words that the judge could be shown
      request.messages.back().text += "\n\n" + repair;
      continue;
    }
    request.messages.push_back({Role::kAssistant, WithoutChatTokens(ReplyText(*unreadable))});
    request.messages.push_back({Role::kUser, repair});
  }
  if (panel.rules.form == VerdictForm::kJson) request.answer_schema = JudgeSchema();
  request.attempt = input.tag.attempt;
  request.vote = dialogue.vote_number;
  RequestTag tag = input.tag;
  tag.role = dialogue.role;
  tag.check = input.tag.check + static_cast<CheckIndex>(dialogue.criterion);
  tag.judge_model = judge.model_id;
  tag.criterion = criterion;
  return {.request = std::move(request), .tag = std::move(tag)};
}

// Carries all dialogues on with `replies`, one each a round, and takes those that it read; what to ask in the
// next round, or nothing once all have ended.
std::vector<PlannedRequest> CarryOn(const Hearing& hearing, std::vector<Dialogue>& dialogues,
                                    std::span<const Exchange>& replies) {
  while (true) {
    std::vector<Dialogue*> open;
    for (Dialogue& dialogue : dialogues) {
      if (!dialogue.vote) dialogue.vote = VoteOf(hearing, dialogue);
      if (!dialogue.vote) open.push_back(&dialogue);
    }
    if (replies.empty()) {
      std::vector<PlannedRequest> requests;
      for (const Dialogue* dialogue : open) requests.push_back(AskJudge(hearing, *dialogue));
      return requests;
    }
    if (open.empty()) return {};
    ASSAY_ASSERT(replies.size() >= open.size());
    for (Dialogue* dialogue : open) {
      dialogue->said.push_back(&replies.front());
      replies = replies.subspan(1);
    }
  }
}

std::vector<Dialogue> AllJudges(const JudgePanel& panel, std::size_t criteria) {
  std::vector<Dialogue> dialogues;
  for (std::size_t i = 0; i < criteria; ++i) {
    for (const Judge* judge : panel.judges) {
      for (std::uint32_t vote = 0; vote < panel.rules.votes; ++vote)
        dialogues.push_back({.judge = judge, .criterion = i, .vote_number = vote, .repairs = panel.repairs});
    }
  }
  return dialogues;
}

// Whether a vote on the criterion was lost to doubt. Then the votes that are left are those of judges who did
// not quote: whoever wrote the answer could have chosen them. So only votes with the code count.
bool LostToDoubt(const Hearing& hearing, std::span<const Dialogue> dialogues, std::size_t criterion) {
  if (hearing.answer.code().empty()) return false;
  return std::any_of(dialogues.begin(), dialogues.end(), [&hearing, criterion](const Dialogue& each) {
    return each.criterion == criterion && !each.vote->has_value() && MayHaveQuoted(hearing, each.said);
  });
}

// Takes back the votes of `judges` on each criterion of which one of `heard` was lost to doubt. Those with
// the code come back at once; the other judges may be asked for it.
void TakeBackDoubted(const Hearing& hearing, std::span<const Dialogue> heard, std::vector<Dialogue>& judges) {
  for (std::size_t i = 0; i < hearing.criteria.size(); ++i) {
    if (!LostToDoubt(hearing, heard, i)) continue;
    for (Dialogue& each : judges) {
      if (each.criterion != i || !each.vote->has_value()) continue;
      each.needs_code = true;
      each.vote.reset();
    }
  }
}

// What each judge says of a criterion, in judge order.
std::vector<Vote> VerdictsOn(const JudgePanel& panel, const std::vector<Dialogue>& judges,
                             std::size_t criterion) {
  std::vector<Vote> verdicts;
  std::size_t next = criterion * panel.judges.size() * panel.rules.votes;
  for (std::size_t i = 0; i < panel.judges.size(); ++i) {
    std::vector<Vote> votes;
    for (std::uint32_t k = 0; k < panel.rules.votes; ++k) votes.push_back(*judges[next++].vote);
    verdicts.push_back(VerdictOfVotes(votes));
  }
  return verdicts;
}

// The same of each criterion.
std::vector<std::vector<Vote>> VerdictsOnAll(const Hearing& hearing, const std::vector<Dialogue>& judges) {
  std::vector<std::vector<Vote>> verdicts;
  for (std::size_t i = 0; i < hearing.criteria.size(); ++i)
    verdicts.push_back(VerdictsOn(hearing.panel(), judges, i));
  return verdicts;
}

// One for each criterion on which a judge has no verdict, in their order.
std::vector<Dialogue> Backups(const Hearing& hearing, const std::vector<Dialogue>& judges,
                              std::span<const std::vector<Vote>> verdicts) {
  const JudgePanel& panel = hearing.panel();
  std::vector<Dialogue> dialogues;
  for (std::size_t i = 0; i < verdicts.size() && panel.backup != nullptr; ++i) {
    const auto has_none = [](const Vote& verdict) { return !verdict.has_value(); };
    if (std::none_of(verdicts[i].begin(), verdicts[i].end(), has_none)) continue;
    if (LacksJudgeInPart(hearing, verdicts[i])) continue;
    dialogues.push_back({.judge = panel.backup,
                         .role = RequestRole::kBackupJudge,
                         .criterion = i,
                         .vote_number = BackupVote(panel),
                         .needs_code = LostToDoubt(hearing, judges, i)});
  }
  return dialogues;
}

std::vector<Score> Scores(const Hearing& hearing, std::span<const std::vector<Vote>> verdicts,
                          const std::vector<Dialogue>& backups) {
  std::vector<Score> scores;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (LacksJudgeInPart(hearing, verdicts[i])) {
      const auto lacking = std::find_if(verdicts[i].begin(), verdicts[i].end(), IsHeardInPart);
      scores.push_back(Score::Missing("expected the vote of each judge: " + lacking->error().message));
      continue;
    }
    const auto backup = std::find_if(backups.begin(), backups.end(),
                                     [i](const Dialogue& dialogue) { return dialogue.criterion == i; });
    scores.push_back(JudgeConsensus(
        {.judges = verdicts[i], .backup = backup == backups.end() ? nullptr : &*backup->vote}));
  }
  return scores;
}

}  // namespace

JudgePanel PanelOf(const Suite& suite, const JudgingRules& rules, const Check* check) {
  const bool has_own = check != nullptr && !check->judges->empty();
  std::vector<const Judge*> judges;
  if (has_own) {
    for (const JudgeIndex index : *check->judges) judges.push_back(&suite.named_judges[index]);
  } else {
    for (const Judge& judge : suite.judges) judges.push_back(&judge);
  }
  return {.judges = std::move(judges),
          .backup = suite.backup_judge && !has_own ? &*suite.backup_judge : nullptr,
          .extractors = suite.extractors,
          .repairs = suite.judge_repairs,
          .reading = suite.judge_reading,
          .rules = rules,
          .suite_description = suite.description};
}

PanelAction NextOfPanel(const AskInput& input, std::span<const std::string> criteria,
                        std::span<const Exchange> replies) {
  const JudgePanel& panel = *input.panel;
  const Hearing hearing{.input = input,
                        .criteria = criteria,
                        .answer = Looks(panel) ? WhatIsJudged(input, criteria) : JudgedAnswer()};
  std::vector<Dialogue> judges = AllJudges(panel, criteria.size());
  if (auto requests = CarryOn(hearing, judges, replies); !requests.empty()) return Need{std::move(requests)};
  TakeBackDoubted(hearing, judges, judges);
  if (auto requests = CarryOn(hearing, judges, replies); !requests.empty()) return Need{std::move(requests)};
  const std::vector<std::vector<Vote>> verdicts = VerdictsOnAll(hearing, judges);
  std::vector<Dialogue> backups = Backups(hearing, judges, verdicts);
  if (backups.empty()) return Scores(hearing, verdicts, backups);
  if (auto requests = CarryOn(hearing, backups, replies); !requests.empty()) return Need{std::move(requests)};
  TakeBackDoubted(hearing, backups, judges);
  if (auto requests = CarryOn(hearing, judges, replies); !requests.empty()) return Need{std::move(requests)};
  return Scores(hearing, VerdictsOnAll(hearing, judges), backups);
}

std::vector<StepParty> PanelParties(const JudgePanel& panel, std::uint32_t criteria_max) {
  std::vector<StepParty> parties;
  for (const Judge* judge : panel.judges) {
    parties.push_back({.role = RequestRole::kJudge,
                       .model = judge,
                       .id = judge->model_id,
                       .params = &judge->params,
                       .usual = panel.rules.votes,
                       .most = criteria_max * RequestsMax(panel, panel.repairs) * panel.rules.votes});
  }
  if (panel.backup != nullptr) {
    parties.push_back({.role = RequestRole::kBackupJudge,
                       .model = panel.backup,
                       .id = panel.backup->model_id,
                       .params = &panel.backup->params,
                       .most = criteria_max * RequestsMax(panel, 0)});
  }
  return parties;
}

}  // namespace assay
