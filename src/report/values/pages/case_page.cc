// Reads all attempts of the case once, and what their requests took.
#include "report/values/pages/case_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>

#include "base/hash.h"
#include "base/wire/wire.h"
#include "report/decide/factors.h"
#include "report/fold/cell_counts.h"
#include "report/values/cells.h"
#include "report/values/held_bytes.h"
#include "report/values/json.h"
#include "report/values/pages/case_rows.h"
#include "report/values/points.h"
#include "report/values/traces.h"
#include "report/values/words/markdown_tree.h"
#include "report/values/words/programs.h"
#include "spec/report/pair.h"
#include "spec/score/item_words.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "spec/suite/suite.h"
#include "spec/turn/turn_details.h"
#include "spec/turn/turn_trace.h"
#include "text/json/json.h"
#include "text/object.h"
#include "text/packed/base64.h"

namespace assay {

namespace {

Value KnownValue(const std::optional<bool>& known) { return OrNull(known); }

// Of an attempt; a stored one may name a check again and again.
constexpr std::size_t kNeededBytesMax = 1u << 20;

// Of a citation its words: what it needs is in no argument.
std::string NeededText(const Check& check) {
  return check.args.is_string() ? std::string(check.args.AsString()) : check.text;
}

// Where the evidence of an answer was lost: for each text that the case's checks look for, how far it came
// (docs/formats/view.md, evidence). Null: nobody kept it; an empty list: no check looks for a text.
Value EvidenceValue(const Case& graded, const AttemptRecord& record) {
  if (!record.evidence) return Null{};
  List list;
  std::size_t bytes = 0;
  for (const EvidencePath& path : record.evidence->paths) {
    if (path.check >= graded.checks.size()) continue;
    const Check& check = graded.checks[path.check];
    std::string needed = NeededText(check);
    bytes += needed.size();
    if (bytes > kNeededBytesMax) break;
    list.emplace_back(Object{
        {"needed", std::move(needed)},
        {"is_pattern", check.kind.ends_with("matches") || check.kind == "expected_regex"},
        {"in_corpus", KnownValue(path.in_corpus)},
        {"retrieved", KnownValue(path.retrieved)},
        {"read", KnownValue(path.read)},
        {"used", path.used},
        {"notes", Object{{"retrieved", TextOrNull(path.retrieved_at)}, {"read", TextOrNull(path.read_at)}}}});
  }
  return list;
}

// Of all attempts, and what is left of longer ones behind these.
constexpr std::size_t kWholeBytesMax = 16u << 20;
constexpr TextRoom kBriefRoom{.whole_max = 512, .head = 256, .tail = 128};

constexpr double kVotesApart = 0.75;  // so far from each other they are told

std::string_view TypeForPage(const MediaPart& part) {
  // What a browser shows without running anything in it.
  constexpr std::string_view kShown[] = {"image/png", "image/jpeg", "image/gif", "image/webp"};
  const auto* found = std::find(std::begin(kShown), std::end(kShown), std::string_view(part.type));
  return found == std::end(kShown) ? std::string_view() : *found;
}

Value MediaValue(const std::vector<MediaPart>& media, bool has_pictures) {
  List list;
  for (const MediaPart& part : media) {
    Map map =
        Object{{"kind", MediaKindName(part.kind)},
               {"type", TextOrNull(part.type)},
               {"bytes", CountValue(static_cast<std::uint64_t>(std::max<std::int64_t>(part.size_bytes, 0)))},
               {"sha256", TextOrNull(part.sha256)},
               {"name", TextOrNull(part.name)},
               {"is_stored", part.blob != nullptr}};
    const std::string_view type = TypeForPage(part);
    const bool has_data = has_pictures && part.blob != nullptr && !type.empty();
    map.Append("data", has_data
                           ? Value(fmt::format("data:{};base64,{}", type, EncodeBase64(part.blob->bytes)))
                           : Value(Null{}));
    list.emplace_back(std::move(map));
  }
  return list;
}

Value TurnsAskedValue(const std::vector<Turn>& turns, const CaseAsk& ask) {
  List list;
  for (const Turn& turn : turns) {
    const bool is_generated = turn.kind == TurnKind::kGenerate;
    list.emplace_back(Object{{"role", RoleName(turn.role)},
                             {"text", is_generated ? Value(Null{}) : TextValue(turn.text, ask.room)},
                             {"is_generated", is_generated},
                             {"media", MediaValue(turn.media, ask.has_pictures)}});
  }
  return list;
}

Value AskingsValue(const Case& the_case, const CaseAsk& ask) {
  return ArrayOf(*the_case.askings, [&](const CaseAsking& asking) {
    return Object{{"name", asking.name},
                  {"text", TextValue(asking.text, ask.room)},
                  {"turns", TurnsAskedValue(asking.turns, ask)},
                  {"problem", TextOrNull(asking.problem)}};
  });
}

// The alternatives of a case, and which of its checks each has.
void AddPaths(const CheckNode& node, const std::string& label, std::vector<std::string>& of_check) {
  if (node.op == CheckNode::Op::kLeaf) {
    if (node.check < of_check.size()) of_check[node.check] = label;
    return;
  }
  for (const CheckNode& child : node.children)
    AddPaths(child, child.label->empty() ? label : *child.label, of_check);
}

std::vector<std::string> PathsOf(const Case& the_case) {
  std::vector<std::string> of_check(the_case.checks.size());
  AddPaths(the_case.tree, the_case.tree.label, of_check);
  return of_check;
}

Value PathsValue(const std::vector<std::string>& of_check) {
  std::vector<std::pair<std::string, List>> paths;  // with their points
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < of_check.size(); ++i) {
    if (of_check[i].empty()) continue;
    const auto [found, is_new] = places.emplace(of_check[i], paths.size());
    if (is_new) paths.emplace_back(of_check[i], List());
    paths[found->second].second.push_back(CountValue(i));
  }
  List list;
  for (auto& [label, points] : paths)
    list.emplace_back(Object{{"label", label}, {"points", std::move(points)}});
  return list;
}

Value PointsAskedValue(const Case& the_case, const std::vector<std::string>& paths) {
  List list;
  for (std::size_t i = 0; i < the_case.checks.size(); ++i) {
    const Check& check = the_case.checks[i];
    list.emplace_back(Object{{"kind", check.kind},
                             {"text", PointText(check)},
                             {"not", check.invert},
                             {"weight", check.weight},
                             {"path", TextOrNull(paths[i])},
                             {"citation", TextOrNull(CitationText(check.citation))}});
  }
  return list;
}

Value MarkedText(std::string_view text, const TextRoom& room) {
  return Object{{"text", TextValue(text, room)}, {"markdown", MarkdownTree(text)}};
}

Value CaseAskedValue(const Suite& suite, CaseIndex index, const CaseAsk& ask) {
  const Case& the_case = suite.cases[index];
  constexpr std::size_t kMembers = 17;
  const std::vector<std::string> paths = PathsOf(the_case);
  Map map;
  map.Reserve(kMembers);
  Extend(map, {{"id", the_case.id},
               {"row", CountValue(index)},
               {"previous", index == 0 ? Value(Null{}) : Value(suite.cases[index - 1].id)},
               {"next", index + 1 == suite.cases.size() ? Value(Null{}) : Value(suite.cases[index + 1].id)},
               {"description",
                the_case.description->empty() ? Value(Null{}) : MarkedText(*the_case.description, ask.room)},
               {"tags", ArrayOf(*the_case.tags)},
               {"weight", the_case.weight},
               {"full_score", NumberOrNull(the_case.full_score)},
               {"render_as", the_case.render_as},
               {"turns", TurnsAskedValue(the_case.turns, ask)},
               {"askings", AskingsValue(the_case, ask)},
               {"ideal", the_case.ideal ? MarkedText(*the_case.ideal, ask.room) : Value(Null{})},
               {"citation", TextOrNull(CitationText(the_case.citation))},
               {"schema", the_case.answer_schema->is_undefined() ? Value(Null{}) : *the_case.answer_schema},
               {"documents", ArrayOf(*the_case.documents,
                                     [&](const CaseDocument& document) {
                                       return Object{{"id", document.id},
                                                     {"title", TextOrNull(document.title)},
                                                     {"url", TextOrNull(document.url)}};
                                     })},
               {"paths", PathsValue(paths)},
               {"points", PointsAskedValue(the_case, paths)}});
  return Value(std::move(map));
}

Value FlagsValue(const Score& score) {
  List flags;
  const auto [low, high] =
      std::minmax_element(score.evidence.begin(), score.evidence.end(),
                          [](const Evidence& a, const Evidence& b) { return a.value < b.value; });
  if (score.evidence.size() > 1 && high->value - low->value >= kVotesApart) flags.emplace_back("votes_apart");
  if (std::any_of(score.evidence.begin(), score.evidence.end(),
                  [](const Evidence& vote) { return vote.against > 0; }))
    flags.emplace_back("against");
  if (score.failed() || (score.state == ScoreState::kScored && !score.error.empty()))
    flags.emplace_back("no_verdict");
  return flags;
}

// Null: nothing of the answer is to be marked for it. What lies beyond the answer is somebody else's work.
Value SpansValue(const std::vector<TextRange>& marks, std::string_view answer) {
  List list;
  for (const TextRange& range : marks) {
    if (range.to <= answer.size()) list.emplace_back(List{CountValue(range.from), CountValue(range.to)});
  }
  return list.empty() ? Value(Null{}) : Value(std::move(list));
}

Value TurnsSaidValue(const Transcript& transcript, const TextRoom& room) {
  std::span<const std::string> texts = transcript.generated_texts;
  if (texts.empty()) texts = std::span(&transcript.answer, 1);
  List list;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const bool has_thoughts =
        i < transcript.generated_reasoning.size() && !transcript.generated_reasoning[i].empty();
    Map map = Object{
        {"text", TextValue(texts[i], room)},
        {"thoughts", has_thoughts ? TextValue(transcript.generated_reasoning[i], room) : Value(Null{})}};
    const bool is_whole = texts[i].size() <= room.whole_max;
    PlacedMarkdown markdown = is_whole ? PlaceMarkdown(texts[i]) : PlacedMarkdown{Null{}, Null{}};
    Extend(map, {{"markdown", std::move(markdown.tree)}, {"markdown_places", std::move(markdown.places)}});
    list.emplace_back(std::move(map));
  }
  return list;
}

Value TokensValue(const UsageByRole& usage) {
  Map roles;
  for (const auto& [role, used] : usage.parts()) {
    roles.Append(std::string(RequestRoleName(role)),
                 Object{{"input_tokens", Number(used.input_tokens)},
                        {"output_tokens", Number(used.output_tokens)},
                        {"cached_tokens", Number(used.cached_read_tokens)},
                        {"reasoning_tokens", Number(used.reasoning_tokens)}});
  }
  return Value(std::move(roles));
}

// With what tools gave, beside each call, where the conversation holds it.
Value TraceWithResults(const Transcript& transcript, const TextRoom& room) {
  std::map<std::string_view, std::string_view> results;
  for (const Message& message : transcript.history) {
    if (message.role == Role::kTool && !message.call_id.empty())
      results.emplace(message.call_id, message.text);
  }
  return TraceValue(transcript.told, [&](const ToolCall& call) {
    const auto found = results.find(call.id);
    return found == results.end() ? Value(Null{}) : TextValue(found->second, room);
  });
}

// What an attempt leaves to an earlier one that says the same; how long a program took makes no difference.
struct AttemptContent {
  std::vector<Map> points;
  Value trace;
};

AttemptContent ContentOf(const Pair& alone, const Suite& suite, const CaseAsk& ask) {
  const AttemptRecord& record = *alone.shown;
  const Case& graded = alone.GradedCase(suite);
  const std::vector<std::string> paths = PathsOf(graded);
  const std::string answer = record.transcript.SubjectText();
  AttemptContent said{.points = {}, .trace = TraceWithResults(record.transcript, ask.room)};
  for (std::size_t i = 0; i < record.scores.size(); ++i) {
    Map point = PointInFull(graded.checks[i], record.scores[i]);
    Extend(point, {{"path", TextOrNull(paths[i])},
                   {"flags", FlagsValue(record.scores[i])},
                   {"spans", SpansValue(record.scores[i].marks, answer)},
                   {"block", BlockValue(record.scores[i].block, answer)}});
    said.points.push_back(std::move(point));
  }
  return said;
}

Digest DigestOf(const AttemptContent& said, const Transcript& transcript) {
  Sha256 words;
  for (const Map& point : said.points) words.Update(WriteJson(Value(point), JsonStyle::kJavaScript) + "\n");
  words.Update(transcript.error);
  for (const std::string& text : transcript.generated_texts) {
    words.Update("\x1f");
    words.Update(text);
  }
  words.Update("\x1f" + WriteJson(said.trace, JsonStyle::kJavaScript));
  return words.Finish();
}

// What the page reads beside docs/cli.md's attempt. `said`: nothing where another attempt says the same.
void AppendSaid(std::optional<AttemptContent> said, const Pair& alone, const Suite& suite,
                const Exchanged& exchanged, const TextRoom& room, Map& map) {
  const AttemptRecord& record = *alone.shown;
  if (said) {
    for (std::size_t i = 0; i < said->points.size(); ++i)
      said->points[i].Append("outputs", OutputsValue(exchanged.programs, static_cast<CheckIndex>(i)));
    Extend(map, {{"points", ArrayOf(said->points, [](Map& point) { return std::move(point); })},
                 {"trace", std::move(said->trace)}});
  } else {
    Extend(map, {{"points", Null{}}, {"trace", Null{}}});
  }
  const bool has_turns = said && alone.answered();
  Extend(map,
         {{"turns", has_turns ? TurnsSaidValue(record.transcript, room) : Value(Null{})},
          {"system", record.transcript.system ? TextValue(*record.transcript.system, room) : Value(Null{})},
          {"tokens", TokensValue(record.usage)}});
  const std::optional<std::string> halted = HaltOf(record.transcript.told);
  Extend(map, {{"halted", OrNull(halted)}, {"evidence", EvidenceValue(alone.GradedCase(suite), record)}});
}

void AppendUse(const std::optional<AnswerUse>& use, Map& map) {
  Extend(map, {{"ms", use ? NumberOrNull(use->ms) : Value(Null{})},
               {"first_ms", use ? NumberOrNull(use->first_ms) : Value(Null{})},
               {"usd", use ? NumberOrNull(use->usd) : Value(Null{})},
               {"finish", use ? TextOrNull(use->finish) : Value(Null{})},
               {"calls", use ? CountValue(use->calls) : Value(Null{})},
               {"tries", use ? CountValue(use->tries) : Value(Null{})}});
}

// The attempts of one variant, as they come by.
struct OpenCell {
  VariantIndex variant = 0;
  List attempts;
  std::map<Digest, AttemptIndex> said;  // the first that says so
  double sum = 0;
  std::size_t scored = 0;
  std::size_t passed = 0;                 // of them
  CellState state = CellState::kSkipped;  // of the first
};

class CellList {
 public:
  CellList(const Suite& suite, CaseIndex index, const CaseAsk& ask)
      : suite_(suite),
        case_(suite.cases[index]),
        ask_(ask),
        gathered_(case_.id),
        is_repeated_(case_.attempts.value_or(suite.attempts) > 1) {}

  Status Add(AttemptIndex attempt, const Pair& alone, const Exchanged& exchanged) {
    if (gathered_.bytes() > kWholeBytesMax) ask_.room = kBriefRoom;
    if (cells_.empty() || cells_.back().variant != alone.variant) {
      cells_.emplace_back().variant = alone.variant;
      cells_.back().state = alone.state;
    }
    OpenCell& cell = cells_.back();
    // The turns hold the words of the answer and of the thoughts.
    Map map = AttemptMap(attempt, alone, suite_, AttemptWords::kLeftOut);
    std::optional<AttemptContent> said = ContentOf(alone, suite_, ask_);
    std::optional<AttemptIndex> same_as;
    if (is_repeated_) {
      const auto [first, is_new] = cell.said.emplace(DigestOf(*said, alone.shown->transcript), attempt);
      if (!is_new) same_as = first->second;
    }
    if (same_as) said.reset();
    AppendSaid(std::move(said), alone, suite_, exchanged, ask_.room, map);
    AppendUse(exchanged.use, map);
    if (const std::optional<double> score = alone.mean()) {
      cell.sum += *score;
      ++cell.scored;
      const bool passes = ask_.pass.Passes(case_, *score);
      cell.passed += passes ? 1 : 0;
      map.Append("passed", passes);
    } else {
      map.Append("passed", Value(Null{}));
    }
    map.Append("same_as", same_as ? Value(Number(*same_as + 1)) : Value(Null{}));
    cell.attempts.emplace_back(std::move(map));
    return gathered_.Add(HeldBytes(cell.attempts.back()));
  }

  Value Take() {
    List list;
    for (OpenCell& cell : cells_) {
      const CellState state = cell.scored > 0 ? CellState::kScored : cell.state;
      list.emplace_back(
          Object{{"variant", suite_.variants[cell.variant].id},
                 {"asked", AskedValue(cell.variant)},
                 {"state", CellStateName(state)},
                 {"score", cell.scored == 0 ? Value(Null{})
                                            : NumberOrNull(cell.sum / static_cast<double>(cell.scored))},
                 {"attempts", std::move(cell.attempts)}});
    }
    return list;
  }

  // Who has how much, best and worst.
  std::string Sentence(const PassRule& pass) const {
    const std::vector<std::string> names = SpokenNames(suite_);
    const OpenCell* best = nullptr;
    const OpenCell* worst = nullptr;
    std::size_t passed = 0;
    std::size_t scored = 0;
    const auto mean = [](const OpenCell& cell) { return cell.sum / static_cast<double>(cell.scored); };
    for (const OpenCell& cell : cells_) {
      if (cell.scored == 0) continue;
      ++scored;
      passed += pass.CasePasses(cell.passed, cell.scored) ? 1 : 0;
      if (best == nullptr || mean(cell) > mean(*best)) best = &cell;
      if (worst == nullptr || mean(cell) < mean(*worst)) worst = &cell;
    }
    const auto points = [&](const OpenCell& cell) { return std::lround(100 * mean(cell)); };
    if (scored == 0) return "No answer has a score.";
    if (scored == 1) return fmt::format("{} scores {}.", names[best->variant], points(*best));
    if (points(*best) == points(*worst)) {
      const std::string who = scored == 2 ? "Both variants" : fmt::format("All {} variants", scored);
      return fmt::format("{} score {}.", who, points(*best));
    }
    return fmt::format("{} of {} {}: {} scores {}, {} {}.", passed, scored, passed == 1 ? "passes" : "pass",
                       names[best->variant], points(*best), names[worst->variant], points(*worst));
  }

 private:
  // What this variant was asked, where it is not the turns of the case.
  Value AskedValue(VariantIndex variant) const {
    const CaseAsking* asking = AskingOf(case_, suite_.variants[variant]);
    if (asking == nullptr || !asking->turns.empty() || !asking->problem.empty()) return Null{};
    return TextValue(AskedText(case_, suite_.variants[variant]), ask_.room);
  }

  const Suite& suite_;
  const Case& case_;
  CaseAsk ask_;
  GatheredBytes gathered_;
  bool is_repeated_;  // some attempt may be the same as an earlier one
  std::vector<OpenCell> cells_;
};

}  // namespace

namespace {

Value PageOf(const Suite& suite, CaseIndex index, const CaseAsk& ask, CellList& cells) {
  return Object{{"case", CaseAskedValue(suite, index, ask)},
                {"sentence", cells.Sentence(ask.pass)},
                {"cells", cells.Take()},
                {"titles", TitlesAround(suite, index)}};
}

}  // namespace

Result<Value> CasePageValue(const Report& report, CaseIndex index, const CaseAsk& ask) {
  CellList cells(*report.suite, index, ask);
  const auto add = [&cells](AttemptIndex attempt, const Pair& alone, const Exchanged& exchanged) {
    return cells.Add(attempt, alone, exchanged);
  };
  if (ask.variants.empty()) ASSAY_CHECK_OK(ForEachExchangedIn(report, CellRange::OfCase(index), add));
  for (const VariantIndex variant : ask.variants)
    ASSAY_CHECK_OK(ForEachExchangedIn(report, CellRange::OfPair(index, variant), add));
  return PageOf(*report.suite, index, ask, cells);
}

Status ForEachCasePage(const Report& report, CaseIndex first, CaseIndex last, const CaseAsk& ask,
                       const std::function<void(CaseIndex index, Value page)>& visit,
                       const std::function<void(const CellAddress& at, const AnswerUse& took)>& take_use) {
  const Suite& suite = *report.suite;
  CaseIndex open = first;
  std::optional<CellList> cells(std::in_place, suite, open, ask);
  const auto close_until = [&](CaseIndex index) {
    for (; open < index; ++open) {
      visit(open, PageOf(suite, open, ask, *cells));
      if (open + 1 < last) cells.emplace(suite, open + 1, ask);
    }
  };
  CellRange range = CellRange::OfCase(first);
  range.last_case = last;
  ASSAY_CHECK_OK(ForEachExchangedIn(report, range,
                                    [&](AttemptIndex attempt, const Pair& alone, const Exchanged& exchanged) {
                                      close_until(alone.case_index);
                                      if (exchanged.use)
                                        take_use({alone.case_index, alone.variant, attempt}, *exchanged.use);
                                      return cells->Add(attempt, alone, exchanged);
                                    }));
  close_until(last);
  return Ok();
}

Status VisitTexts(const Report& report, CaseIndex index, const TextTaker& take) {
  const Case& the_case = report.suite->cases[index];
  for (const Turn& turn : the_case.turns) {
    if (take(turn.text)) return Ok();
  }
  for (const CaseAsking& asking : *the_case.askings) {
    if (take(asking.text)) return Ok();
    for (const Turn& turn : asking.turns) {
      if (take(turn.text)) return Ok();
    }
  }
  if (take(*the_case.description) || (the_case.ideal && take(*the_case.ideal))) return Ok();
  bool is_taken = false;
  return ForEachAttemptIn(
      report, CellRange::OfCase(index), CellParts::kAll, [&](AttemptIndex, const Pair& alone) {
        const Transcript& said = alone.shown->transcript;
        const auto take_all = [&](const std::vector<std::string>& texts) {
          for (const std::string& text : texts) is_taken = is_taken || take(text);
        };
        if (is_taken) return Ok();
        take_all(said.generated_texts);
        take_all(said.generated_reasoning);
        is_taken =
            is_taken || take(said.answer) || take(said.SubjectText()) || (said.system && take(*said.system));
        return Ok();
      });
}

}  // namespace assay
