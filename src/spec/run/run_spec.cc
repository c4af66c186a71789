// The list of RunSpec's fields, by which it is written and read.
#include "spec/run/run_spec.h"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <tuple>
#include <type_traits>

#include "base/limits.h"
#include "spec/exchange/keyed_headers.h"
#include "spec/limits.h"
#include "spec/suite/stored_field.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

// A field whose number lies between two others.
template <class Member>
struct NumberField {
  std::string_view name;
  std::optional<Member> RunSpec::*member;
  double least;
  double most;
};

constexpr std::size_t kSpecBytesMax = 16u << 20;

}  // namespace

// Names are persisted: they never change meaning. A new one's default means what was the case before.
template <>
struct FieldsOf<RunSpec> {
  static constexpr std::tuple list{
      Field{"file", &RunSpec::file},
      Field{"models", &RunSpec::models},
      Field{"judges", &RunSpec::judges},
      Field{"filter", &RunSpec::filter},
      NumberField{"limit", &RunSpec::limit, 1, 1e9},
      Field{"selected", &RunSpec::selected},
      NumberField{"attempts", &RunSpec::attempts, 1, limits::kAttemptsMax},
      NumberField{"max_tokens", &RunSpec::max_tokens, 1, limits::kAnswerTokensMax},
      Field{"accept_partial", &RunSpec::accept_partial},
      Field{"strict_programs", &RunSpec::strict_programs},
      Field{"no_memo", &RunSpec::no_memo},
      Field{"compat", &RunSpec::compat},
      Field{"run_label", &RunSpec::run_label},
      Field{"json_judges", &RunSpec::json_judges},
      NumberField{"votes", &RunSpec::votes, 1, limits::kJudgeVotesMax},
      Field{"require_summary", &RunSpec::require_summary},
      Field{"skip_summary", &RunSpec::skip_summary},
      Field{"responses", &RunSpec::responses},
      Field{"fixtures", &RunSpec::fixtures},
      Field{"fixtures_strict", &RunSpec::fixtures_strict},
      Field{"replay", &RunSpec::replay},
      Field{"base_urls", &RunSpec::base_urls},
      NumberField{"pass_at", &RunSpec::pass_at, 0, 1},
      Field{"pass_at_is_setting", &RunSpec::pass_at_is_setting},
      NumberField{"pass_attempts", &RunSpec::pass_attempts, 0, 1},
      Field{"pass_at_k", &RunSpec::pass_at_k},
      Field{"artefacts", &RunSpec::artefacts},
      Field{"until", &RunSpec::until},
      NumberField{"within", &RunSpec::within, 0, 100},
      Field{"promise", &RunSpec::promise},
      Field{"order_seed", &RunSpec::order_seed},
      NumberField{"look_every", &RunSpec::look_every, 1, limits::kCellsMax},
      Field{"gates", &RunSpec::gates},
      Field{"gates_digest", &RunSpec::gates_digest},
      Field{"own", &RunSpec::own},
  };
  static constexpr std::array<LeftOutNames, 0> left_out = {};
};

namespace {

template <class Visit>
void ForEachOfSpec(Visit visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); }, FieldsOf<RunSpec>::list);
}

constexpr std::pair<std::string_view, Compat> kCompats[] = {{"weval", Compat::kWeval},
                                                            {"asky", Compat::kAsky},
                                                            {"infibench", Compat::kInfibench},
                                                            {"promptfoo", Compat::kPromptfoo}};

// --- writing ---

Value ValueOf(bool is) { return Value(is); }
Value ValueOf(const std::string& text) { return Value(WithoutCredentials(text)); }
Value ValueOf(Compat compat) { return Value(CompatName(compat)); }
Value ValueOf(const std::vector<std::string>& texts) {
  return ArrayOf(texts, [&](const std::string& text) { return ValueOf(text); });
}
Value ValueOf(const std::vector<AttemptIndex>& counts) {
  return ArrayOf(counts, [&](AttemptIndex count) { return static_cast<double>(count); });
}
template <class Number>
Value ValueOf(const std::optional<Number>& number) {
  return Value(static_cast<double>(*number));
}
Value ValueOf(const OwnOptions& own) {
  Map map;
  for (const auto& [name, texts] : own.values) map.Append(name, ValueOf(texts));
  return Value(std::move(map));
}

// --- reading ---

Error BadSpec(std::string_view name, std::string_view expected) {
  return Error{ErrorCode::kCorrupt,
               fmt::format("what shaped the run cannot be read: {} is no {}", name, expected)};
}

Status ReadMember(std::string_view name, const Value& value, bool& is) {
  if (!value.is_bool()) return BadSpec(name, "truth value");
  is = value.AsBool();
  return Ok();
}
Status ReadMember(std::string_view name, const Value& value, std::string& text) {
  if (!value.is_string()) return BadSpec(name, "text");
  text = value.AsString();
  return Ok();
}
Status ReadMember(std::string_view name, const Value& value, std::vector<std::string>& texts) {
  if (!value.is_list()) return BadSpec(name, "list");
  for (const Value& item : value.AsList()) ASSAY_CHECK_OK(ReadMember(name, item, texts.emplace_back()));
  return Ok();
}
Status ReadMember(std::string_view name, const Value& value, std::vector<AttemptIndex>& counts) {
  if (!value.is_list() || value.AsList().size() > limits::kTriesMax) return BadSpec(name, "list");
  for (const Value& item : value.AsList()) {
    const double count = item.is_number() ? item.AsNumber() : 0;
    const bool is_count =
        count >= 1 && count <= static_cast<double>(limits::kAttemptsMax) && count == std::floor(count);
    if (!is_count) return BadSpec(name, "list of counts");
    counts.push_back(static_cast<AttemptIndex>(count));
  }
  return Ok();
}
Status ReadMember(std::string_view name, const Value& value, Compat& compat) {
  const std::optional<Compat> found =
      value.is_string() ? FindCompat(value.AsString()) : std::optional<Compat>();
  if (!found) return BadSpec(name, "tool");
  compat = *found;
  return Ok();
}
Status ReadMember(std::string_view name, const Value& value, OwnOptions& own) {
  if (!value.is_map()) return BadSpec(name, "map");
  for (const Member& member : value.AsMap())
    ASSAY_CHECK_OK(ReadMember(member.key, member.value, own.values[member.key]));
  return Ok();
}

template <class Field>
Status ReadField(const Field& field, const Value& value, RunSpec& spec) {
  if constexpr (requires { field.most; }) {
    using Number = typename std::remove_reference_t<decltype(spec.*(field.member))>::value_type;
    const double number = value.is_number() ? value.AsNumber() : std::nan("");
    const bool is_whole = !std::is_integral_v<Number> || number == std::floor(number);
    if (!(number >= field.least && number <= field.most) || !is_whole)
      return BadSpec(field.name, "number that it can be");
    spec.*(field.member) = static_cast<Number>(number);
    return Ok();
  } else {
    return ReadMember(field.name, value, spec.*(field.member));
  }
}

}  // namespace

std::string_view CompatName(Compat tool) {
  for (const auto& [name, each] : kCompats) {
    if (each == tool) return name;
  }
  return "";
}

std::optional<Compat> FindCompat(std::string_view name) {
  for (const auto& [each, compat] : kCompats) {
    if (each == name) return compat;
  }
  return std::nullopt;
}

std::string OwnOptions::Text(std::string_view name) const {
  const auto found = values.find(name);
  return found == values.end() || found->second.empty() ? std::string() : found->second.back();
}

std::vector<std::string> OwnOptions::Texts(std::string_view name) const {
  const auto found = values.find(name);
  return found == values.end() ? std::vector<std::string>() : found->second;
}

Value RunSpecValue(const RunSpec& spec) {
  static const RunSpec kStandard;
  Map map;
  ForEachOfSpec([&](const auto& field) {
    if (spec.*(field.member) == kStandard.*(field.member)) return;
    map.Append(std::string(field.name), ValueOf(spec.*(field.member)));
  });
  return Value(std::move(map));
}

std::string EncodeRunSpec(const RunSpec& spec) {
  return WriteJson(RunSpecValue(spec), JsonStyle::kJavaScript);
}

Result<RunSpec> DecodeRunSpec(std::string_view text) {
  if (text.empty()) return RunSpec();
  if (text.size() > kSpecBytesMax) return BadSpec("it", "text of a size that it can have");
  const Result<Value> value = ParseJson(text, RepeatedKeys::kRefuse);
  if (!value || !value->is_map()) return BadSpec("it", "JSON object");
  RunSpec spec;
  Status read = Ok();
  ForEachOfSpec([&](const auto& field) {
    const Value* member = value->Find(field.name);
    if (member != nullptr && read) read = ReadField(field, *member, spec);
  });
  if (!read) return read.error();
  return spec;
}

}  // namespace assay
