// Judging a criterion by models: the prompt, the reader of replies, the consensus. Pure; panel.h decides whom
// to ask next.
//
// Scale, parsing and consensus follow weval 51dc4d3 (spec: blueprint 12); the prompt's words are our own.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "checks/judge/reading/scale.h"
#include "spec/run/step.h"
#include "spec/score/score.h"
#include "spec/suite/suite_rules.h"
#include "spec/turn/message.h"
#include "text/value.h"

namespace assay {

struct Case;
struct Check;
struct Judge;
struct Suite;

// How a judge writes its verdict: between tags, or as a JSON object of the schema that goes along
// (json.h).
enum class VerdictForm { kTags, kJson };

struct JudgePromptInput {
  const Transcript& transcript;
  const Case& the_case;
  std::string_view criterion;
  std::string_view suite_description;  // "" if none
  std::string_view approach;           // Judge::approach
  VerdictForm form = VerdictForm::kTags;
  std::string_view code = {};  // to be written next to the class (JudgedAnswer::code); "": none
};
// System and user message. Criterion and candidate text are fenced as data.
std::vector<Message> BuildJudgePrompt(const JudgePromptInput& input);
// The conversation as the judge sees it: "role: text" entries, generated assistant turns marked. With a code,
// "role [code]: text", so that no text can look like an entry.
std::string JudgeTranscript(const Transcript& transcript, const Case& the_case, std::string_view code = {});

struct JudgeVerdict {
  double score = 0;
  std::string reflection;
};
class JudgedAnswer;  // judged_answer.h

// kInvalidInput with what was missing, kRefused if it has the form of a verdict but may be a quotation, which
// only the code tells; never a guess. kFirstTags: spec blueprint 12.5. kAfterReflection:
// the shape that was asked for, a reflection and then a class, with white space and one code fence around
// them and nothing else; on an `answer` that gives a class, the last verdict, with the code of `answer` next
// to its class.
Result<JudgeVerdict> ParseJudgeReply(std::string_view text,
                                     JudgeReading reading = JudgeReading::kAfterReflection,
                                     const JudgedAnswer* answer = nullptr);
// What both readers say of a reply without a verdict.
Error UnreadableReply(std::string_view expected, std::string_view found);
Error DoubtedReply(std::string_view expected, std::string_view found);
// A reply of the best class, for whoever has to assume one.
std::string AssumedVerdictText(VerdictForm form);
// What to say to a judge whose reply could not be read, once. `code`: as in the prompt.
std::string JudgeRepairMessage(VerdictForm form = VerdictForm::kTags, std::string_view code = {});

// How a missing vote says that a reply may have quoted the answer: what its error begins with. The second one
// where the answer contains nothing that looks like a verdict.
inline constexpr std::string_view kAnswerHoldsVerdicts = "the answer contains verdicts";
inline constexpr std::string_view kVerdictDoubted = "the judge may have quoted the answer";

// Part of the error for a judge that gets no more requests although its service is there: what comes without
// its votes has no score, since answers may have chosen who judges.
inline constexpr std::string_view kJudgeFellSilent = "criteria without its vote have no score";

// Part of the error for a judge of whose votes some are missing: a criterion has no score without the others.
inline constexpr std::string_view kVotesAreMissing = "its other votes cannot count alone";

// Whether the words before a verdict speak against it. A question of form: they name classes of the scale (in
// capitals, with or without CLASS_), but not the one of `score`. What stands in quotation marks or backticks
// is somebody else's.
bool SpeaksAgainst(std::string_view reflection, double score);

// One judge's verdict on one criterion.
struct Judgement {
  double score = 0;
  std::string reflection;
  std::string judge;               // Judge::label
  bool repaired = false;           // its first reply could not be read, and it was asked again
  std::vector<double> votes = {};  // of a judge that was asked several times
  std::uint32_t against = 0;       // votes that their own words speak against
};
using Vote = Result<Judgement>;  // the error: why there is no verdict

// What a judge that was asked several times says: the median of its votes (of an even number the mean of the
// middle two), with the words of the first vote next to it. Where a vote is missing, the judge has no
// verdict: an answer may have chosen which votes are left. Its error then says kVotesAreMissing unless all
// are. One vote: itself.
Vote VerdictOfVotes(std::span<const Vote> votes);

struct ConsensusInput {
  std::span<const Vote> judges;  // in judge order
  const Vote* backup = nullptr;  // null: there is none, or nobody needed it
};
// Spec blueprint 12.6: mean, rounded to two decimals; before inversion.
Score JudgeConsensus(const ConsensusInput& input);

// What the user says of how judges are asked.
struct JudgingRules {
  VerdictForm form = VerdictForm::kTags;
  std::uint32_t votes = 1;  // of each judge on each criterion, at most limits::kJudgeVotesMax
};

// Who judges in a run, and how. Borrows from the suite.
struct JudgePanel {
  std::vector<const Judge*> judges;
  const Judge* backup = nullptr;      // asked where a judge failed; null: there is none
  std::span<const Judge> extractors;  // of key points, asked in order
  std::uint32_t repairs = 0;          // how often an unreadable reply is asked for again, and a cut one
  JudgeReading reading = JudgeReading::kAfterReflection;
  JudgingRules rules = {};
  std::string_view suite_description;
};
// Of a check: the judges that it names, without a backup; else, and without a check, the suite's.
JudgePanel PanelOf(const Suite& suite, const JudgingRules& rules, const Check* check = nullptr);

// Agreement between judges over the judged scores of an answer (spec blueprint 12.8); undefined if nothing
// compares.
Value JudgeAgreement(std::span<const Score> scores, const Suite& suite);

}  // namespace assay
