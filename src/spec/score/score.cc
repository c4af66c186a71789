// Scores and their stored form.
//
// Version 1, JSON: {"v":1,"s":[score...],"k":[key point...]?,"d":details?,"u":[usage...]?,
// "c":[[id, name, arguments]...]?,"t":{name:ms}?,"e":[events]?,"ur":{name:counts}?,"a":what its generator
// told else?,"g":why nothing was graded?,"x":why there is no answer?,"xc":its class?}, a score being
// [state, value|null, max, explanation, error, grader, [[source, value, text, 1 if it was repaired,
// [vote...]?, votes that its words speak against?]...],
// answer, [[wanted, found, sentence, share, points, weight, program]...], remark, metric], cut after its last
// member that is not the default; a value of null is NaN. `answer` is [value, max] where code of the suite's
// own gave whole numbers of Python for them; older versions kept a map of what a format's file tells there.
#include "spec/score/score.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "spec/exchange/exchange.h"
#include "spec/limits.h"
#include "text/found.h"
#include "text/javascript/number.h"
#include "text/javascript/truth.h"
#include "text/json/json.h"
#include "text/json/stored.h"
#include "text/object.h"

namespace assay {

namespace {

// Written without building a tree: a run writes one for every check of every attempt.
void AppendNumber(double number, std::string& out) {
  if (number == 0 || number == 1) {
    out += number == 0 ? '0' : '1';
  } else {
    out += std::isfinite(number) ? JsNumberText(number) : "null";
  }
}

void AppendVotes(const Evidence& voice, std::string& out) {
  out += ",[";
  for (std::size_t i = 0; i < voice.votes.size(); ++i) {
    if (i > 0) out += ',';
    AppendNumber(voice.votes[i], out);
  }
  out += "],";
  AppendNumber(voice.against, out);
}

void AppendEvidence(const std::vector<Evidence>& evidence, std::string& out) {
  out += ",[";
  for (const Evidence& voice : evidence) {
    if (out.back() != '[') out += ',';
    out += '[';
    AppendJsonString(voice.source, out);
    out += ',';
    AppendNumber(voice.value, out);
    out += ',';
    AppendJsonString(voice.text, out);
    const bool has_votes = !voice.votes.empty() || voice.against > 0;
    if (has_votes || voice.repaired) out += voice.repaired ? ",1" : ",0";
    if (has_votes) AppendVotes(voice, out);
    out += ']';
  }
  out += ']';
}

// What few items have.
void AppendMore(const ScoreItem& item, std::string& out) {
  out += ',';
  if (item.given) {
    AppendJsonString(*item.given, out);
  } else {
    out += "null";
  }
  out += ',';
  AppendJsonString(item.against, out);
  out += item.is_unwanted ? ",1,[" : ",0,[";
  for (const Measure& measure : item.measures) {
    out += &measure == item.measures.data() ? "[" : ",[";
    AppendJsonString(measure.name, out);
    out += ',';
    AppendNumber(measure.value, out);
    out += ']';
  }
  out += ']';
}

void AppendItems(const std::vector<ScoreItem>& items, std::string& out) {
  out += ",[";
  for (const ScoreItem& item : items) {
    out += &item == items.data() ? "[" : ",[";
    for (const std::string* text : {&item.wanted, &item.found, &item.sentence}) {
      AppendJsonString(*text, out);
      out += ',';
    }
    for (const double number : {item.share, item.points}) {
      AppendNumber(number, out);
      out += ',';
    }
    AppendNumber(item.weight, out);
    const bool has_more = item.given || !item.against.empty() || item.is_unwanted || !item.measures.empty();
    if (has_more || !item.program.empty()) {
      out += ',';
      AppendJsonString(item.program, out);
    }
    if (has_more) AppendMore(item, out);
    out += ']';
  }
  out += ']';
}

void AppendScore(const Score& score, std::string& out) {
  const bool has_metric = !score.metric.empty();
  const bool has_remark = has_metric || !score.remark.is_undefined();
  const bool has_items = has_remark || !score.items.empty();
  const bool has_answer = has_items || !score.answer.is_undefined();
  const bool has_evidence = !score.evidence.empty() || has_answer;
  const bool has_grader = has_evidence || !score.grader.empty();
  const bool has_error = has_grader || !score.error.empty();
  const bool has_explanation = has_error || !score.explanation.empty();
  out += '[';
  out += static_cast<char>('0' + static_cast<int>(score.state));
  out += ',';
  AppendNumber(score.value, out);
  if (has_explanation || score.max != 1) {
    out += ',';
    AppendNumber(score.max, out);
  }
  const auto append_text = [&out](bool wanted, const std::string& text) {
    if (!wanted) return;
    out += ',';
    AppendJsonString(text, out);
  };
  append_text(has_explanation, score.explanation);
  append_text(has_error, score.error);
  append_text(has_grader, score.grader);
  if (has_evidence) AppendEvidence(score.evidence, out);
  if (has_answer) {
    out += ',';
    AppendTyped(score.answer, out);
  }
  if (has_items) AppendItems(score.items, out);
  if (has_remark) {
    out += ',';
    AppendTyped(score.remark, out);
  }
  append_text(has_metric, score.metric);
  out += ']';
}

double NumberAt(const List& list, std::size_t i, double other) {
  if (i >= list.size()) return other;
  if (list[i].is_null()) return std::numeric_limits<double>::quiet_NaN();
  return list[i].is_number() ? list[i].AsNumber() : other;
}

// Of a count of tokens; a store may be somebody else's work.
constexpr std::int64_t kStoredTokensMax = 1'000'000'000'000;

std::int64_t CountAt(const List& list, std::size_t i) {
  const double count = NumberAt(list, i, 0);
  return count > 0 ? static_cast<std::int64_t>(std::min(count, static_cast<double>(kStoredTokensMax))) : 0;
}

std::string TextAt(const List& list, std::size_t i) {
  return i < list.size() && list[i].is_string() ? list[i].AsString() : std::string();
}

// What a number of a score may be. Handlers of a suite's own give more than their maximum, and less than 0.
struct NumberRule {
  double low = -1e9;
  double high = 1e9;
  bool takes_nan = false;
  bool Allows(double number) const {
    return std::isnan(number) ? takes_nan : number >= low && number <= high;
  }
};
constexpr NumberRule kAnyNumber;
constexpr NumberRule kNumberOrNan{.takes_nan = true};
constexpr NumberRule kVote{.low = 0, .high = 1};

Error NoSuchScore() {
  return {ErrorCode::kCorrupt, "the store is damaged: a stored score that no check gives"};
}

// Reads the members of one list of a stored score. Lists are cut after their last member that is not the
// default; a member that is there has its type and keeps to its rule, or the whole score is damage. So nobody
// who counts with it, or looks something up by it, has to doubt it.
class Members {
 public:
  explicit Members(const List& list) : list_(list) {}
  explicit Members(const Value& list)
      : list_(list.is_list() ? list.AsList() : kNone), is_right_(list.is_list()) {}

  std::size_t size() const { return list_.size(); }
  Status status() const { return is_right_ ? Ok() : Status(NoSuchScore()); }
  void Refuse() { is_right_ = false; }

  double Number(std::size_t i, double other, const NumberRule& rule = kAnyNumber) {
    if (i >= list_.size()) return other;
    const bool is_number = list_[i].is_number() || list_[i].is_null();
    const double number = is_number ? NumberAt(list_, i, other) : other;
    if (!is_number || !rule.Allows(number)) Refuse();
    return number;
  }
  // From 0 to `most`.
  int Whole(std::size_t i, int other, int most) {
    const double number = Number(i, other, {.low = 0, .high = static_cast<double>(most)});
    if (number == std::floor(number) && number >= 0 && number <= most) return static_cast<int>(number);
    Refuse();
    return other;
  }
  std::string Text(std::size_t i) {
    if (i < list_.size() && !list_[i].is_string()) Refuse();
    return TextAt(list_, i);
  }
  // Null where it is absent.
  std::optional<std::string> TextOrNull(std::size_t i) {
    if (i >= list_.size() || list_[i].is_null()) return std::nullopt;
    return Text(i);
  }
  const List& Lists(std::size_t i) {
    if (i >= list_.size()) return kNone;
    if (list_[i].is_list()) return list_[i].AsList();
    Refuse();
    return kNone;
  }
  Value Encoded(std::size_t i) const { return i < list_.size() ? DecodeEncoded(list_[i]) : Value(); }

 private:
  static const List kNone;
  const List& list_;
  bool is_right_ = true;
};
const List Members::kNone;

Result<ScoreItem> DecodeItem(const Value& value) {
  Members parts(value);
  ScoreItem item{.wanted = parts.Text(0),
                 .found = parts.Text(1),
                 .sentence = parts.Text(2),
                 .share = parts.Number(3, 0, kNumberOrNan),
                 .points = parts.Number(4, 0, kNumberOrNan),
                 .weight = parts.Number(5, 1, kNumberOrNan),
                 .program = parts.Text(6)};
  item.given = parts.TextOrNull(7);
  item.against = parts.Text(8);
  item.is_unwanted = parts.Whole(9, 0, 1) != 0;
  for (const Value& each : parts.Lists(10)) {
    Members measure(each);
    item.measures.push_back({.name = measure.Text(0), .value = measure.Number(1, 0, kNumberOrNan)});
    ASSAY_CHECK_OK(measure.status());
  }
  ASSAY_CHECK_OK(parts.status());
  return item;
}

Result<Evidence> DecodeEvidence(const Value& value) {
  Members parts(value);
  Evidence voice{.source = parts.Text(0),
                 .value = parts.Number(1, 0, kVote),
                 .text = parts.Text(2),
                 .repaired = parts.Whole(3, 0, 1) != 0};
  if (parts.size() > 4) {
    Members votes(parts.Lists(4));
    if (votes.size() > limits::kJudgeVotesMax) parts.Refuse();
    for (std::size_t i = 0; i < votes.size(); ++i) voice.votes.push_back(votes.Number(i, 0, kVote));
    ASSAY_CHECK_OK(votes.status());
  }
  voice.against = static_cast<std::uint32_t>(parts.Whole(5, 0, static_cast<int>(limits::kJudgeVotesMax)));
  ASSAY_CHECK_OK(parts.status());
  return voice;
}

Result<Score> DecodeScore(const Value& value) {
  Members parts(value);
  if (parts.size() < 2) return Error{ErrorCode::kCorrupt, "stored score is no list"};
  Score score;
  score.state = static_cast<ScoreState>(parts.Whole(0, 0, static_cast<int>(ScoreState::kMissing)));
  score.value = parts.Number(1, 0, kNumberOrNan);
  score.max = parts.Number(2, 1);
  score.explanation = parts.Text(3);
  score.error = parts.Text(4);
  score.grader = parts.Text(5);
  for (const Value& voice : parts.Lists(6)) {
    ASSAY_TRY(Evidence read, DecodeEvidence(voice));
    score.evidence.push_back(std::move(read));
  }
  score.answer = parts.Encoded(7);
  for (const Value& item : parts.Lists(8)) {
    ASSAY_TRY(ScoreItem read, DecodeItem(item));
    score.items.push_back(std::move(read));
  }
  score.remark = parts.Encoded(9);
  score.metric = parts.Text(10);
  ASSAY_CHECK_OK(parts.status());
  return score;
}

Result<std::vector<std::string>> DecodeKeyPoints(const Value* value) {
  std::vector<std::string> points;
  if (value == nullptr) return points;
  if (!value->is_list()) return Error{ErrorCode::kCorrupt, "stored key points are no list"};
  Members list(*value);
  for (std::size_t i = 0; i < list.size(); ++i) points.push_back(list.Text(i));
  ASSAY_CHECK_OK(list.status());
  return points;
}

// [input, output, reasoning, cached read?, cached written?]
List EncodeCounts(const Usage& used) {
  const auto number = [](std::int64_t count) { return Value(static_cast<double>(count)); };
  List numbers{number(used.input_tokens), number(used.output_tokens), number(used.reasoning_tokens)};
  if (used.cached_read_tokens > 0 || used.cached_write_tokens > 0) {
    numbers.push_back(number(used.cached_read_tokens));
    numbers.push_back(number(used.cached_write_tokens));
  }
  return numbers;
}
// The counts from the `first` on.
Usage DecodeCounts(const List& list, std::size_t first) {
  return {.input_tokens = CountAt(list, first),
          .output_tokens = CountAt(list, first + 1),
          .reasoning_tokens = CountAt(list, first + 2),
          .known = true,
          .cached_read_tokens = CountAt(list, first + 3),
          .cached_write_tokens = CountAt(list, first + 4)};
}

}  // namespace

Value EncodeUsage(const UsageByRole& usage) {
  List list;
  for (const auto& [role, used] : usage.parts()) {
    List numbers{Value(static_cast<double>(role))};
    for (Value& count : EncodeCounts(used)) numbers.push_back(std::move(count));
    list.emplace_back(std::move(numbers));
  }
  return list;
}

Result<UsageByRole> DecodeUsage(const Value& value) {
  UsageByRole usage;
  if (!value.is_list()) return Error{ErrorCode::kCorrupt, "stored usage is no list"};
  for (const Value& part : value.AsList()) {
    const double role = part.is_list() ? NumberAt(part.AsList(), 0, -1) : -1;
    if (!(role >= 0 && role <= static_cast<double>(kLastRequestRole)))
      return Error{ErrorCode::kCorrupt, "stored usage of an unknown role"};
    usage.Add(static_cast<RequestRole>(static_cast<int>(role)), DecodeCounts(part.AsList(), 1));
  }
  return usage;
}

namespace {

// Of a stored attempt. Before roles were told apart it had the candidates' and the judges'.
Result<UsageByRole> UsageOfAttempt(const Value& map) {
  if (const Value* parts = map.Find("u")) return DecodeUsage(*parts);
  UsageByRole usage;
  for (const auto& [name, role] : {std::pair("cu", RequestRole::kCandidate), {"ju", RequestRole::kJudge}}) {
    if (const List* counts = FindList(map, name)) usage.Add(role, DecodeCounts(*counts, 0));
  }
  return usage;
}

void AppendFacts(const AttemptFacts& told, Map& map) {
  List calls = ArrayOf(told.tool_calls, [&](const ToolCall& call) {
    return List{Value(call.id), Value(call.name), Value(call.arguments)};
  });
  if (!calls.empty()) map.Append("c", std::move(calls));
  Map timings;
  for (const auto& [name, ms] : told.timings_ms) timings.Append(name, ms);
  Extend(map, {{"t", UnlessEmpty(std::move(timings))},
               {"e", !told.events.empty() ? Value(List(told.events)) : Value()}});
  Map usages;
  for (const auto& [name, usage] : told.usage_by_role) usages.Append(name, EncodeCounts(usage));
  Extend(map, {{"ur", UnlessEmpty(std::move(usages))}, {"a", told.details}});
}

constexpr double kTimingMax = 1e12;  // ms

AttemptFacts DecodeFacts(const Value& map) {
  AttemptFacts told;
  for (const Value& call : map.ListAt("c")) {
    if (!call.is_list()) continue;
    told.tool_calls.push_back({TextAt(call.AsList(), 0), TextAt(call.AsList(), 1), TextAt(call.AsList(), 2)});
  }
  for (const Member& timing : map.MapAt("t")) {
    if (!timing.value.is_number()) continue;
    told.timings_ms.emplace_back(timing.key, std::clamp(timing.value.AsNumber(), -kTimingMax, kTimingMax));
  }
  told.events = map.ListAt("e");
  for (const Member& usage : map.MapAt("ur")) {
    if (usage.value.is_list())
      told.usage_by_role.emplace_back(usage.key, DecodeCounts(usage.value.AsList(), 0));
  }
  if (const Value* details = map.Find("a")) told.details = *details;
  return told;
}

Value ServedValue(const std::vector<ServedAs>& served) {
  return ArrayOf(served, [&](const ServedAs& each) {
    return List{Value(static_cast<std::int64_t>(each.role)), EncodeServed(each.by)};
  });
}

std::vector<ServedAs> DecodeServedList(const Value& stored) {
  std::vector<ServedAs> served;
  if (!stored.is_list()) return served;
  for (const Value& each : stored.AsList()) {
    if (!each.is_list() || each.AsList().size() != 2 || !each.AsList()[0].is_number()) continue;
    const double role = each.AsList()[0].AsNumber();
    if (!(role >= 0 && role <= static_cast<double>(kLastRequestRole))) continue;
    served.push_back({static_cast<RequestRole>(static_cast<int>(role)), DecodeServed(each.AsList()[1])});
  }
  return served;
}

// Reads what nearly all stored attempts are, {"v":1,"s":[[state,value]...],"u":[[role,count...]...],
// "m":[...]} with or without "u" and "m", and without building a tree: reports read each of them several
// times.
class PlainReader {
 public:
  explicit PlainReader(std::string_view text) : text_(text) {}

  // Nothing for any other form.
  std::optional<AttemptRecord> Record() {
    AttemptRecord record;
    if (!Take("{\"v\":1,\"s\":[") || !Scores(record.scores)) return std::nullopt;
    if (Take(",\"u\":[") && !Usages(record.usage)) return std::nullopt;
    if (Take(",\"m\":[") && !Served(record.served)) return std::nullopt;
    if (text_ != "}") return std::nullopt;
    return record;
  }

 private:
  bool Take(std::string_view words) {
    if (!text_.starts_with(words)) return false;
    text_.remove_prefix(words.size());
    return true;
  }

  template <class Number>
  bool Read(Number& number) {
    if (text_.size() > 1 && text_[0] >= '0' && text_[0] <= '9' && (text_[1] == ',' || text_[1] == ']')) {
      number = static_cast<Number>(text_[0] - '0');
      text_.remove_prefix(1);
      return true;
    }
    const auto [after, problem] = std::from_chars(text_.data(), text_.data() + text_.size(), number);
    text_.remove_prefix(static_cast<std::size_t>(after - text_.data()));
    return problem == std::errc();
  }

  // Up to the end of their list, whose beginning was read, as of what follows.
  bool Scores(std::vector<Score>& scores) {
    const std::string_view list = text_.substr(0, text_.find("]]"));
    scores.reserve(static_cast<std::size_t>(std::count(list.begin(), list.end(), '[')));
    if (Take("]")) return true;
    do {
      if (!Take("[")) return false;
      int state = 0;
      Score& score = scores.emplace_back();
      if (!Read(state) || state < 0 || state > static_cast<int>(ScoreState::kMissing)) return false;
      if (!Take(",") || !Read(score.value) || !Take("]")) return false;
      if (!kAnyNumber.Allows(score.value)) return false;
      score.state = static_cast<ScoreState>(state);
    } while (Take(","));
    return Take("]");
  }

  bool Usages(UsageByRole& usage) {
    if (Take("]")) return true;
    do {
      if (!Take("[")) return false;
      int role = 0;
      if (!Read(role) || role < 0 || role > static_cast<int>(kLastRequestRole)) return false;
      Usage used{.known = true};
      for (std::int64_t* count : {&used.input_tokens, &used.output_tokens, &used.reasoning_tokens,
                                  &used.cached_read_tokens, &used.cached_write_tokens}) {
        if (!Take(",")) break;
        if (!Read(*count) || *count < 0 || *count > kStoredTokensMax) return false;
      }
      if (!Take("]")) return false;
      usage.Add(static_cast<RequestRole>(role), used);
    } while (Take(","));
    return Take("]");
  }

  // Without escapes.
  bool Text(std::string& text) {
    if (!Take("\"")) return false;
    const std::size_t end = text_.find_first_of("\"\\");
    if (end == std::string_view::npos || text_[end] != '"') return false;
    text = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return true;
  }

  bool Served(std::vector<ServedAs>& served) {
    do {
      int role = 0;
      if (!Take("[") || !Read(role) || role < 0 || role > static_cast<int>(kLastRequestRole)) return false;
      ServedAs& each = served.emplace_back();
      each.role = static_cast<RequestRole>(role);
      if (!Take(",[") || !Text(each.by.asked) || !Take(",") || !Text(each.by.model)) return false;
      each.by.is_other = Take(",true");
      if (!each.by.is_other && !Take(",false")) return false;
      if (!Take(",") || !Text(each.by.fingerprint) || !Take(",") || !Text(each.by.via) || !Take("]]"))
        return false;
    } while (Take(","));
    return Take("]");
  }

  std::string_view text_;
};

}  // namespace

Score Score::Of(double value) {
  Score score;
  score.state = ScoreState::kScored;
  score.value = value;
  return score;
}

Score Score::Failure(std::string message) {
  Score score;
  score.state = ScoreState::kError;
  score.error = std::move(message);
  return score;
}

Score Score::Missing(std::string message) {
  Score score;
  score.state = ScoreState::kMissing;
  score.error = std::move(message);
  return score;
}

std::size_t AttemptRecord::MissingPoints() const {
  if (!grading_error.empty()) return 1;
  return static_cast<std::size_t>(std::count_if(
      scores.begin(), scores.end(), [](const Score& score) { return score.state == ScoreState::kMissing; }));
}

std::string Transcript::SubjectText() const {
  if (generated_texts.empty()) return answer;
  std::string subject = generated_texts.front();
  for (std::size_t i = 1; i < generated_texts.size(); ++i) {
    subject += "\n\n";
    subject += generated_texts[i];
  }
  return subject;
}

std::string EncodeScores(const AttemptRecord& record) {
  std::string text = "{\"v\":1,\"s\":[";
  for (std::size_t i = 0; i < record.scores.size(); ++i) {
    if (i > 0) text += ',';
    AppendScore(record.scores[i], text);
  }
  text += ']';
  Map map = Object{{"k", UnlessEmpty(ArrayOf(record.key_points))},
                   {"d", record.details},
                   {"u", !record.usage.empty() ? Value(EncodeUsage(record.usage)) : Value()},
                   {"m", !record.served.empty() ? ServedValue(record.served) : Value()}};
  AppendFacts(record.transcript.told, map);
  Extend(map, {{"g", UnlessEmpty(record.grading_error)},
               {"x", UnlessEmpty(record.transcript.error)},
               {"b", UnlessEmpty(record.transcript.answered_by)},
               {"l", When(record.transcript.is_cut, true)},
               {"xc", UnlessEmpty(record.transcript.error_class)}});
  for (const Member& member : map) {
    text += ",\"" + member.key + "\":";
    AppendJson(member.value, JsonStyle::kJavaScript, text);
  }
  text += '}';
  return text;
}

Result<AttemptRecord> DecodeScores(std::string_view text) {
  if (std::optional<AttemptRecord> plain = PlainReader(text).Record()) return std::move(*plain);
  const Result<Value> read = ParseStoredIn(text.size(), text);
  if (!read) return Error{ErrorCode::kCorrupt, "the store is damaged: stored scores are no JSON"};
  const Value& map = *read;
  const List* scores = FindList(map, "s");
  if (map.NumberAt("v") != 1 || scores == nullptr) {
    return Error{ErrorCode::kCorrupt, "the store is damaged: stored scores of an unknown version"};
  }
  AttemptRecord record;
  for (const Value& value : *scores) {
    ASSAY_TRY(Score score, DecodeScore(value));
    record.scores.push_back(std::move(score));
  }
  ASSAY_TRY(record.key_points, DecodeKeyPoints(map.Find("k")));
  if (const Value* details = map.Find("d")) record.details = *details;
  ASSAY_TRY(record.usage, UsageOfAttempt(map));
  if (const Value* served = map.Find("m")) record.served = DecodeServedList(*served);
  record.transcript.told = DecodeFacts(map);
  record.grading_error = map.TextAt("g");
  record.transcript.error = map.TextAt("x");
  record.transcript.answered_by = map.TextAt("b");
  record.transcript.is_cut = IsTruthyAt(map, "l");
  record.transcript.error_class = map.TextAt("xc");
  return record;
}

}  // namespace assay
