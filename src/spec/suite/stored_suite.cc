// Writes and reads suites by their lists of fields, and computes digests over them.
#include "spec/suite/stored_suite.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <span>
#include <type_traits>

#include "base/errors/assert.h"
#include "base/errors/diagnostics.h"
#include "base/limits.h"
#include "spec/exchange/keyed_headers.h"
#include "spec/limits.h"
#include "spec/suite/names/name_problem.h"
#include "spec/suite/suite.h"
#include "spec/suite/suite_fields.h"
#include "text/found.h"
#include "text/json/json.h"
#include "text/json/stored.h"
#include "text/object.h"
#include "text/packed/compress.h"

namespace assay {

namespace {

constexpr std::int64_t kVersion = 1;
constexpr std::size_t kTextBytesMax = 256u << 20;
constexpr std::size_t kItemsMax = limits::kVariantsMax;  // of any list in a suite
constexpr std::size_t kCasesMax = 2'000'000;
constexpr std::size_t kJudgesMax = 1'000;
constexpr double kWeightMax = 1e9;

template <class T>
concept HasFields = requires {
  FieldsOf<T>::list;
};

template <class Struct, class Visit>
void ForEachField(Visit visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); }, FieldsOf<Struct>::list);
}

// --- equality with the default, to leave a field out ---

template <class T>
bool IsSame(const T& a, const T& b);
bool IsSame(const Value& a, const Value& b) { return SameValue(a, b); }
bool IsSame(double a, double b) { return a == b && std::signbit(a) == std::signbit(b); }
template <class T>
bool IsSame(const std::optional<T>& a, const std::optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || IsSame(*a, *b));
}
template <class T>
bool IsSame(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const T& x, const T& y) { return IsSame(x, y); });
}
template <class T>
bool IsSame(const Rare<T>& a, const Rare<T>& b) {
  return IsSame(*a, *b);
}
template <class T>
bool IsSame(const T& a, const T& b) {
  if constexpr (HasFields<T>) {
    bool is_same = true;
    ForEachField<T>(
        [&](const auto& field) { is_same = is_same && IsSame(a.*(field.member), b.*(field.member)); });
    return is_same;
  } else {
    return a == b;
  }
}

// --- values of the suite's own ---

// JSON's reader sorts keys that look like indices, and takes {"__int":"2"} for a number: maps that either
// could change are stored as {"__map":[key, value, ...]}.
constexpr std::string_view kGuard = "__map";

bool IsAtRisk(const Map& map) {
  if (map.size() == 1 && map.begin()->key.starts_with("__")) return true;
  return std::any_of(map.begin(), map.end(), [](const Member& member) {
    return !member.key.empty() && member.key[0] >= '0' && member.key[0] <= '9';
  });
}

bool HoldsRisk(const Value& value) {
  if (value.is_list()) return std::any_of(value.AsList().begin(), value.AsList().end(), HoldsRisk);
  if (!value.is_map()) return false;
  return IsAtRisk(value.AsMap()) || std::any_of(value.AsMap().begin(), value.AsMap().end(),
                                                [](const Member& member) { return HoldsRisk(member.value); });
}

Value Guarded(const Value& value) {
  if (value.is_list()) {
    return ArrayOf(value.AsList(), [&](const Value& item) { return Guarded(item); });
  }
  if (!value.is_map()) return value;
  Map map;
  if (!IsAtRisk(value.AsMap())) {
    for (const Member& member : value.AsMap()) map.Append(member.key, Guarded(member.value));
    return Value(std::move(map));
  }
  List pairs;
  for (const Member& member : value.AsMap()) {
    pairs.emplace_back(member.key);
    pairs.push_back(Guarded(member.value));
  }
  map.Append(std::string(kGuard), std::move(pairs));
  return Value(std::move(map));
}

Value Unguarded(Value value) {
  if (value.is_list()) {
    for (Value& item : value.AsList()) item = Unguarded(std::move(item));
    return value;
  }
  if (!value.is_map()) return value;
  const List* pairs = value.AsMap().size() == 1 ? FindList(value, kGuard) : nullptr;
  if (pairs == nullptr) {
    for (Member& member : value.AsMap()) member.value = Unguarded(std::move(member.value));
    return value;
  }
  Map map;
  const List& list = *pairs;
  for (std::size_t i = 0; i + 1 < list.size(); i += 2) {
    if (list[i].is_string()) map.Append(list[i].AsString(), Unguarded(list[i + 1]));
  }
  return Value(std::move(map));
}

// --- writing ---

// Of a text, from `begin` to before `end`.
struct Stretch {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class Writer {
 public:
  // `told`: where in `out` stands what decides nothing; without it, the rest reads as if it were not there.
  explicit Writer(std::string& out, std::vector<Stretch>* told = nullptr) : out_(out), told_(told) {}

  void Write(const std::string& text) { AppendJsonString(text, out_); }
  void Write(bool is) { out_ += is ? "true" : "false"; }
  void Write(double number) { AppendTyped(Value(number), out_); }
  void Write(std::uint32_t number) { WriteDigits(number); }
  void Write(std::int64_t number) { AppendTyped(Value(number), out_); }
  void Write(const Value& value) {
    if (HoldsRisk(value)) return AppendTyped(Guarded(value), out_);
    AppendTyped(value, out_);
  }
  template <class T>
  requires std::is_enum_v<T>
  void Write(T choice) { WriteDigits(static_cast<int>(choice)); }
  template <class T>
  void Write(const std::optional<T>& value) {
    if (value) {
      Write(*value);
    } else {
      out_ += "null";
    }
  }
  template <class T>
  void Write(const Rare<T>& value) {
    Write(*value);
  }
  template <class T>
  void Write(const std::vector<T>& list) {
    out_ += '[';
    for (const T& item : list) {
      if (&item != list.data()) out_ += ',';
      Write(item);
    }
    out_ += ']';
  }
  template <HasFields T>
  void Write(const T& value) {
    [[maybe_unused]] static const T standard{};
    out_ += '{';
    bool is_first = true;
    bool is_first_deciding = true;
    ForEachField<T>([&](const auto& field) {
      if (IsSame(value.*(field.member), standard.*(field.member))) return;
      const bool is_told = field.use == FieldUse::kTold;
      const std::size_t begin = out_.size();
      if (!is_first) out_ += ',';
      if (!is_told && is_first_deciding) MarkTold(begin);
      is_first = false;
      is_first_deciding = is_first_deciding && is_told;
      out_ += '"';
      out_ += field.name;
      out_ += "\":";
      WriteField(value.*(field.member), field.use);
      if (is_told) MarkTold(begin);
    });
    out_ += '}';
  }

 private:
  template <class T>
  void WriteDigits(T number) {
    std::array<char, std::numeric_limits<T>::digits10 + 3> digits;
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    ASSAY_ASSERT(error == std::errc());
    out_.append(digits.data(), end);
  }
  template <class T>
  void WriteField(const T& value, FieldUse) {
    Write(value);
  }
  void WriteField(const std::string& text, FieldUse use) {
    Write(use == FieldUse::kHoldsSecrets ? KeyedUrl(text) : text);
  }
  void WriteField(const Value& value, FieldUse use) {
    const std::optional<Value> keyed =
        use == FieldUse::kHoldsSecrets ? KeyedCopyOf(value) : std::optional<Value>();
    Write(keyed ? *keyed : value);
  }

  // From `begin` on; what was marked within it is part of it.
  void MarkTold(std::size_t begin) {
    if (told_ == nullptr || begin == out_.size()) return;
    while (!told_->empty() && told_->back().begin >= begin) told_->pop_back();
    told_->push_back({.begin = begin, .end = out_.size()});
  }

  std::string& out_;
  std::vector<Stretch>* told_;
};

// --- reading ---

// The last enumerator of what is stored as a number.
constexpr Role LastOf(Role) { return Role::kTool; }
constexpr CellOrder LastOf(CellOrder) { return CellOrder::kByVariant; }
constexpr MediaKind LastOf(MediaKind) { return kLastMediaKind; }
constexpr TurnKind LastOf(TurnKind) { return TurnKind::kGenerate; }
constexpr RegexFlavour LastOf(RegexFlavour) { return RegexFlavour::kPython; }
constexpr CheckNode::Op LastOf(CheckNode::Op) { return CheckNode::Op::kLeaf; }
constexpr SystemOverride::Kind LastOf(SystemOverride::Kind) { return SystemOverride::Kind::kText; }
constexpr Compat LastOf(Compat) { return Compat::kPromptfoo; }
constexpr JudgeReading LastOf(JudgeReading) { return JudgeReading::kFirstTags; }

Error Damaged(std::string_view what) {
  return Error{ErrorCode::kCorrupt, fmt::format("the stored suite is damaged: {}", what)};
}

Status Read(const Value& value, std::string& text) {
  if (!value.is_string()) return Damaged("no text");
  text = value.AsString();
  return Ok();
}
Status Read(const Value& value, bool& is) {
  if (!value.is_bool()) return Damaged("neither true nor false");
  is = value.AsBool();
  return Ok();
}
Status Read(const Value& value, double& number) {
  const Value decoded = DecodeEncoded(value);
  if (!decoded.is_number()) return Damaged("no number");
  number = decoded.AsNumber();
  return Ok();
}
Status Read(const Value& value, std::int64_t& number) {
  const Value decoded = DecodeEncoded(value);
  if (decoded.kind() != ValueKind::kInt) return Damaged("no whole number");
  number = decoded.AsInt();
  return Ok();
}
Status Read(const Value& value, std::uint32_t& number) {
  if (!value.is_number() || !(value.AsNumber() >= 0 && value.AsNumber() <= 4294967295.0))
    return Damaged("no count");
  number = static_cast<std::uint32_t>(value.AsNumber());
  return Ok();
}
Status Read(const Value& value, Value& out) {
  out = Unguarded(DecodeEncoded(value));
  return Ok();
}
template <class T>
requires std::is_enum_v<T> Status Read(const Value& value, T& choice) {
  std::uint32_t number = 0;
  ASSAY_CHECK_OK(Read(value, number));
  if (number > static_cast<std::uint32_t>(LastOf(T{}))) return Damaged("an unknown choice");
  choice = static_cast<T>(number);
  return Ok();
}
template <HasFields T>
Status Read(const Value& value, T& out);
template <class T>
Status Read(const Value& value, std::optional<T>& out) {
  if (value.is_null()) return Ok();
  return Read(value, out.emplace());
}
template <class T>
Status Read(const Value& value, std::vector<T>& out) {
  if (!value.is_list()) return Damaged("no list");
  if (value.AsList().size() > kItemsMax) return Damaged("a list of more than a suite may have");
  out.reserve(value.AsList().size());
  for (const Value& item : value.AsList()) ASSAY_CHECK_OK(Read(item, out.emplace_back()));
  return Ok();
}
template <class T>
Status Read(const Value& value, Rare<T>& out) {
  T read;
  ASSAY_CHECK_OK(Read(value, read));
  out = std::move(read);
  return Ok();
}
template <HasFields T>
Status Read(const Value& value, T& out) {
  if (!value.is_map()) return Damaged("no fields");
  Status status = Ok();
  std::size_t known = 0;
  ForEachField<T>([&](const auto& field) {
    const Value* member = value.Find(field.name);
    if (member == nullptr) return;
    ++known;
    if (status) status = Read(*member, out.*(field.member));
  });
  ASSAY_CHECK_OK(std::move(status));
  if (known == value.AsMap().size()) return Ok();
  return Error{ErrorCode::kUnsupported, "the stored suite has fields of a newer assay"};
}

// How many values a stored suite may have, in all and on a line: what is packed takes few bytes. Cases may
// have the same hundred checks, so that in all there may be more. A case takes memory however short its line
// is.
class ValuesLeft {
 public:
  explicit ValuesLeft(std::size_t stored_bytes)
      : left_(1'000'000 + 32 * stored_bytes), of_line_(250'000 + 8 * stored_bytes) {}

  Result<Value> Parsed(std::string_view line) {
    const std::size_t most = std::min(left_, of_line_);
    std::size_t unused = most;
    Result<Value> value = ParseStored(line, unused);
    if (!value) return Damaged(value.error().message);
    left_ -= std::min(left_, most - unused + kValuesOfLine);
    return value;
  }

 private:
  static constexpr std::size_t kValuesOfLine = sizeof(Case) / sizeof(Value);

  std::size_t left_;
  const std::size_t of_line_;
};

// A line of the stored form.
struct Line {
  std::string text;
  std::vector<Stretch> told;

  void HashDeciding(Sha256& hash) const {
    std::size_t at = 0;
    for (const Stretch& stretch : told) {
      hash.Update(std::string_view(text).substr(at, stretch.begin - at));
      at = stretch.end;
    }
    hash.Update(std::string_view(text).substr(at));
  }
};

// The lines of the stored form, one after the other.
template <class Take>
void ForEachLine(const Suite& suite, Take take) {
  Line line;
  line.text = fmt::format("{{\"v\":{},\"suite\":", kVersion);
  Writer(line.text, &line.told).Write(suite);
  line.text += "}\n";
  take(line);
  for (const Case& the_case : suite.cases) {
    line.text.clear();
    line.told.clear();
    Writer(line.text, &line.told).Write(the_case);
    line.text += '\n';
    take(line);
  }
}

// The text up to the next line end, which is taken off with it.
std::string_view TakeLine(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace

namespace {

bool IsWeight(double weight) { return std::isfinite(weight) && std::abs(weight) <= kWeightMax; }

Status CheckTree(const CheckNode& node, std::size_t checks) {
  if (node.op == CheckNode::Op::kLeaf && node.check >= checks) return Damaged("a check that is not there");
  for (const CheckNode& child : node.children) ASSAY_CHECK_OK(CheckTree(child, checks));
  return Ok();
}

// What dialects find in the details that they keep: the kind of each member, and whether it has to be there.
enum class Owner { kSuite, kCase, kVariant };
using Dialects = std::span<const std::string_view>;
struct DetailRow {
  Dialects dialects;
  Owner owner;
  std::string_view name;
  bool (Value::*is_its_kind)() const;
  bool is_needed = false;
};
// Files of other tools become blueprints.
constexpr std::string_view kBlueprints[] = {"blueprint", "openai-evals", "lm-eval", "openai-hosted"};
constexpr std::string_view kInfibench[] = {"infibench"};
constexpr std::string_view kResearch[] = {"research"};
constexpr DetailRow kDetails[] = {
    {kBlueprints, Owner::kSuite, "config", &Value::is_map},
    {kBlueprints, Owner::kSuite, "evalMethodsUsed", &Value::is_list},
    {kBlueprints, Owner::kSuite, "datasets", &Value::is_list},
    {kBlueprints, Owner::kCase, "promptIndex", &Value::is_number},
    {kBlueprints, Owner::kCase, "row", &Value::is_map},
    {kInfibench, Owner::kCase, "fields", &Value::is_map, true},
    {kInfibench, Owner::kCase, "bounds", &Value::is_map, true},
    {kInfibench, Owner::kCase, "is_full_score_whole", &Value::is_bool},
    {kInfibench, Owner::kSuite, "datasets", &Value::is_list},
    {kInfibench, Owner::kCase, "row", &Value::is_map},
    {kResearch, Owner::kSuite, "output_root", &Value::is_string},
    {kResearch, Owner::kSuite, "datasets", &Value::is_list},
    {kResearch, Owner::kCase, "doc_ids", &Value::is_list},
    {kResearch, Owner::kCase, "row", &Value::is_map},
    {kResearch, Owner::kVariant, "parameters", &Value::is_map},
    {kResearch, Owner::kVariant, "source_provider", &Value::is_string},
};

Status CheckDetails(std::string_view dialect, Owner owner, const Value& details) {
  if (!details.is_undefined() && !details.is_map()) return Damaged("details that are no map");
  for (const DetailRow& row : kDetails) {
    const bool is_of_it = std::find(row.dialects.begin(), row.dialects.end(), dialect) != row.dialects.end();
    if (!is_of_it || row.owner != owner) continue;
    const Value* member = details.Find(row.name);
    const bool is_right = member == nullptr ? !row.is_needed : (member->*row.is_its_kind)();
    if (!is_right) return Damaged("details without the right " + Quoted(row.name));
  }
  return Ok();
}

// What the readers of files guarantee and plans rely on: a store may be somebody else's work.
Status CheckCase(const Case& the_case, const Suite& suite) {
  if (the_case.checks.size() > limits::kPointsMax) return Damaged("too many checks");
  if (the_case.attempts.value_or(0) > limits::kAttemptsMax) return Damaged("too many attempts");
  if (!IsWeight(the_case.weight)) return Damaged("a weight that is none");
  if (the_case.groups->size() > limits::kGroupsMax) return Damaged("too many groups of a case");
  const std::vector<VariantIndex>& variants = the_case.variants;
  const bool is_ascending =
      std::adjacent_find(variants.begin(), variants.end(), std::greater_equal<>()) == variants.end();
  if (!is_ascending || (!variants.empty() && variants.back() >= suite.variants.size()))
    return Damaged("variants that are not there");
  for (const Check& check : the_case.checks) {
    if (!IsWeight(check.weight)) return Damaged("a weight that is none");
    const bool are_there =
        std::all_of(check.judges->begin(), check.judges->end(),
                    [&suite](JudgeIndex judge) { return judge < suite.named_judges.size(); });
    if (!are_there || check.judges->size() > kJudgesMax) return Damaged("judges that are not there");
  }
  ASSAY_CHECK_OK(CheckDetails(suite.dialect, Owner::kCase, the_case.details));
  return CheckTree(the_case.tree, the_case.checks.size());
}

Status CheckSuite(const Suite& suite) {
  if (suite.attempts < 1 || suite.attempts > limits::kAttemptsMax) return Damaged("no number of attempts");
  const bool are_tries = suite.pass_at_k.size() <= limits::kTriesMax &&
                         std::all_of(suite.pass_at_k.begin(), suite.pass_at_k.end(),
                                     [](AttemptIndex k) { return k >= 1 && k <= limits::kAttemptsMax; });
  if (!are_tries) return Damaged("numbers of tries that are none");
  if (suite.variants.size() > limits::kVariantsMax || suite.judges.size() > kJudgesMax ||
      suite.extractors.size() > kJudgesMax || suite.named_judges.size() > kJudgesMax ||
      suite.judge_repairs > limits::kStepRoundsMax)
    return Damaged("more of something than a suite may have");
  ASSAY_CHECK_OK(CheckDetails(suite.dialect, Owner::kSuite, suite.details));
  for (const Variant& variant : suite.variants) {
    ASSAY_CHECK_OK(CheckDetails(suite.dialect, Owner::kVariant, variant.details));
    // Its rows say how the agent of each run was set up.
    if (suite.dialect == "research" && !variant.profile) return Damaged("a run without a profile");
  }
  for (const Case& the_case : suite.cases) ASSAY_CHECK_OK(CheckCase(the_case, suite));
  if (const std::string problem = SuiteNameProblem(suite); !problem.empty()) return Damaged(problem);
  std::set<std::string_view> ids;
  for (const Variant& variant : suite.variants) {
    if (!ids.insert(variant.id).second) return Damaged("two variants of one id: " + Quoted(variant.id));
  }
  return Ok();
}

Result<Suite> DecodeStored(std::string_view text, std::size_t stored_bytes) {
  ValuesLeft values(stored_bytes);
  ASSAY_TRY(const Value head, values.Parsed(TakeLine(text)));
  const std::optional<double> version = head.NumberAt("v");
  const Value* fields = head.Find("suite");
  if (!version || fields == nullptr) return Damaged("no head");
  if (*version != kVersion) return Error{ErrorCode::kUnsupported, "the suite was stored by a newer assay"};
  Suite suite;
  ASSAY_CHECK_OK(Read(*fields, suite));
  std::size_t checks = 0;
  while (!text.empty()) {
    ASSAY_TRY(const Value line, values.Parsed(TakeLine(text)));
    if (suite.cases.size() == kCasesMax) return Damaged("too many cases");
    ASSAY_CHECK_OK(Read(line, suite.cases.emplace_back()));
    checks += suite.cases.back().checks.size();
    if (checks > limits::kSuiteChecksMax) return Damaged("too many checks");
  }
  ASSAY_CHECK_OK(CheckSuite(suite));
  return suite;
}

}  // namespace

std::string EncodeSuite(const Suite& suite) {
  std::string text;
  ForEachLine(suite, [&text](const Line& line) { text += line.text; });
  return text;
}

PackedSuite PackSuite(const Suite& suite) {
  Sha256 text;
  Sha256 deciding;
  Compressor compressor;
  ForEachLine(suite, [&](const Line& line) {
    text.Update(line.text);
    line.HashDeciding(deciding);
    compressor.Append(line.text);
  });
  return {.digest = text.Finish(), .suite_digest = deciding.Finish(), .frame = compressor.FinishPadded()};
}

// Short frames unpack to short texts: a prompt stands many times in what is made of a cell.
Result<Suite> UnpackSuite(std::string_view frame, const Digest& digest) {
  constexpr std::size_t kAnyTextBytes = 4u << 20;
  constexpr std::size_t kRatioMax = 512;  // FinishPadded has less
  const std::size_t bytes_max = std::min(kTextBytesMax, kAnyTextBytes + kRatioMax * frame.size());
  const Result<std::string> text = Decompress(frame, bytes_max);
  if (!text) return Damaged(text.error().message);
  if (Sha256Of(*text) != digest) return Damaged("its text is another one than its digest names");
  return DecodeStored(*text, frame.size());
}

Result<Suite> DecodeSuite(std::string_view text) { return DecodeStored(text, text.size()); }

Digest DigestOf(const Suite& suite) {
  Sha256 hash;
  ForEachLine(suite, [&hash](const Line& line) { line.HashDeciding(hash); });
  return hash.Finish();
}

std::string EncodeToolchains(const std::vector<Toolchain>& toolchains) {
  std::string out;
  if (!toolchains.empty()) Writer(out).Write(toolchains);
  return out;
}

Result<std::vector<Toolchain>> DecodeToolchains(std::string_view text) {
  std::vector<Toolchain> toolchains;
  if (text.empty()) return toolchains;
  ASSAY_TRY(const Value list, ValuesLeft(text.size()).Parsed(text));
  ASSAY_CHECK_OK(Read(list, toolchains));
  return toolchains;
}

}  // namespace assay
