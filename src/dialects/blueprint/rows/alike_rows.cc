// Fills the parts that differ from row to row, and looks at nothing else.
#include "dialects/blueprint/rows/alike_rows.h"

#include <algorithm>

#include "base/hash.h"
#include "dialects/blueprint/keys/documents.h"
#include "dialects/blueprint/lower/lint.h"
#include "dialects/blueprint/lower/lower.h"
#include "dialects/blueprint/read/js_values.h"
#include "dialects/blueprint/rows/filled_keys.h"
#include "dialects/blueprint/rows/filled_points.h"
#include "text/json/json.h"
#include "text/object.h"
#include "text/template/braces.h"

namespace assay::blueprint {

namespace {

constexpr std::size_t kWholeRows = 100;  // that are looked at whole
constexpr std::size_t kFilledWordsMax = 8u
                                        << 10;   // bytes of a text; a longer one may be too long for a model
constexpr std::size_t kFilledNameMax = 200;      // bytes of an id or a group
constexpr std::size_t kKnownPointsMax = 50'000;  // blocks of criteria that are remembered
constexpr std::size_t kPointsDigestBytes = 16;

}  // namespace

AlikeRows::AlikeRows(const Map& header, const Map& prompt, const ReadInput& input)
    : header_(header),
      prompt_(prompt),
      input_(input),
      context_{.compat = Compat::kNone,
               .diagnostics = said_,
               .check_names = input.options.check_names,
               .checks_elsewhere = input.options.checks_elsewhere} {
  auto filled = std::make_shared<FilledPrompt>(FilledPrompt{"prompt 1", {}});
  for (const Member& member : prompt_) {
    if (IsNamed(member.key, "should") || IsNamed(member.key, "should_not"))
      AddCalls(member.value, filled->calls);
  }
  context_.filled = std::move(filled);
  Map copy = header_;
  facts_ = NormaliseHeader(copy, context_);
}

bool AlikeRows::Can(const Map& header, const List& entries) {
  if (entries.size() != 1 || !entries.front().is_map() || header.Find("systems") != nullptr) return false;
  const Map& entry = entries.front().AsMap();
  const Value* system = header.Find("system");
  const Value* id = entry.Find("id");
  const bool has_id = id == nullptr || (id->is_string() && !HasBraces(id->AsString()));
  const bool has_own = entry.Find("dataset") != nullptr || entry.Find("shots") != nullptr;
  const bool has_shots = header.Find("shots") != nullptr;
  return has_id && !has_own && !has_shots && (system == nullptr || system->is_string());
}

AlikeRows::PartKind AlikeRows::KindOf(const Member& member) {
  struct Row {
    std::string_view name;
    PartKind kind;
  };
  constexpr Row kRows[] = {
      {"prompt", PartKind::kWords},   {"system", PartKind::kWords},      {"ideal", PartKind::kWords},
      {"citation", PartKind::kWords}, {"description", PartKind::kWords}, {"cluster", PartKind::kName},
      {"group", PartKind::kNames},    {"tags", PartKind::kNames},        {"messages", PartKind::kMessages},
      {"should", PartKind::kPoints},  {"should_not", PartKind::kPoints}};
  for (const Row& row : kRows) {
    if (IsNamed(member.key, row.name)) return row.kind;
  }
  return PartKind::kUnknown;
}

void AlikeRows::FindParts(const std::vector<std::string>& columns) {
  columns_ = columns;
  parts_.clear();
  plain_checks_.clear();
  filler_ = std::make_unique<TreeFiller>(BracesEngine(), columns_, nullptr, IsCode,
                                         [this](const Value&, Span) { takes_values_ = true; });
  const auto add = [this](const Member& member) {
    const PartKind kind = KindOf(member);
    if (filler_->HasTemplates(member.value)) {
      can_ = can_ && kind != PartKind::kUnknown && IsFilledKey(member.key);
      parts_.push_back({&member, kind});
    } else if (kind == PartKind::kPoints) {
      const bool is_should = IsNamed(member.key, "should");
      const std::optional<Points> points = PointsOf(member.value, is_should ? "should" : "should_not");
      can_ = can_ && points;
      if (points) plain_checks_[member.key] = points->checks;
    }
  };
  for (const Member& member : prompt_) {
    if (member.key != "id") add(member);
  }
  for (const std::string_view key : {"system", "systemPrompt"}) {
    if (prompt_.Find("system") == nullptr && header_.FindMember(key) != nullptr)
      add(*header_.FindMember(key));
  }
}

bool AlikeRows::HasWords(const Value& text, const TemplateScope& scope, std::size_t bytes_max) {
  if (!text.is_string()) return false;
  std::optional<FillProblem> problem;
  const Value filled = filler_->Fill(text, scope, problem);
  return !problem && filled.is_string() && filled.AsString().size() <= bytes_max &&
         !IsBlank(filled.AsString());
}

// A list of mappings whose texts alone are filled in.
bool AlikeRows::HasMessages(const Value& tree, const TemplateScope& scope) {
  if (!tree.is_list()) return false;
  for (const Value& message : tree.AsList()) {
    if (!message.is_map()) return false;
    for (const Member& member : message.AsMap()) {
      if (!filler_->HasTemplates(member.value)) continue;
      if (IsMediaKey(member.key) || !HasWords(member.value, scope, kFilledWordsMax)) return false;
    }
  }
  return true;
}

std::optional<AlikeRows::Points> AlikeRows::PointsOf(Value block, std::string_view key) {
  said_ = {};
  const std::size_t count = block.is_list() ? block.AsList().size() : 0;
  Value normal =
      NormalisePoints(std::move(block), key, {context_, facts_.definitions, context_.filled->name});
  if (normal.AsList().size() != count || count == 0) return std::nullopt;
  Value prompt(Object{{"id", "row"}, {key == "should" ? "points" : "should_not", normal}});
  Points points{.normal = std::move(normal), .the_case = {}};
  points.the_case.id = "row";
  const Value* extract = prompt_.Find("extract");
  const ReadInput input{.path = input_.path,
                        .options = input_.options,
                        .files = input_.files,
                        .sources = input_.sources,
                        .diagnostics = said_};
  AddChecksOf(prompt, extract == nullptr ? header_.Find("extract") : extract, input, points.the_case);
  if (!said_.All().empty() || !input_.options.binds_quietly(points.the_case)) return std::nullopt;
  points.checks = points.the_case.checks.size();
  return points;
}

void AlikeRows::FindArguments(const Value& written, Points& points) {
  const List& normal = points.normal.AsList();
  std::vector<Check>& checks = points.the_case.checks;
  if (!written.is_list() || written.AsList().size() != normal.size() || checks.size() != normal.size())
    return;
  std::vector<Check> changed;
  for (std::size_t i = 0; i < normal.size(); ++i) {
    const Value& point = written.AsList()[i];
    if (!filler_->HasTemplates(point)) continue;
    if (!point.is_map() || normal[i].Find("fnArgs") == nullptr || checks[i].args.is_undefined()) return;
    for (const Member& member : point.AsMap()) {
      if (!filler_->HasTemplates(member.value)) continue;
      const bool is_argument = member.key.starts_with('$') && member.key.substr(1) == checks[i].kind;
      if (!is_argument || (!points.arguments.empty() && points.arguments.back().point == i)) return;
      points.arguments.push_back({i, member.key});
    }
    changed.push_back(checks[i]);
    points.changed.push_back(normal[i]);
  }
  points.the_case.checks = std::move(changed);
  points.changes_arguments = true;
}

bool AlikeRows::AreArgumentsAlike(Value& filled, Points& points) {
  if (filled.AsList().size() != points.normal.AsList().size()) return false;
  for (std::size_t i = 0; i < points.arguments.size(); ++i) {
    Value& point = filled.AsList()[points.arguments[i].point];
    Value* argument = point.is_map() ? point.AsMap().Find(points.arguments[i].key) : nullptr;
    if (argument == nullptr || argument->is_nullish()) return false;
    points.the_case.checks[i].args = *argument;
    *points.changed[i].AsMap().Find("fnArgs") = std::move(*argument);
  }
  LintArguments(points.changed, {context_, facts_.definitions, context_.filled->name});
  const bool is_quiet = said_.All().empty() && input_.options.binds_quietly(points.the_case);
  if (!said_.All().empty()) said_ = {};
  return is_quiet;
}

bool AlikeRows::ArePointsAlike(const Member& member, const TemplateScope& scope, std::size_t& checks) {
  std::optional<FillProblem> problem;
  takes_values_ = false;
  Value block = filler_->Fill(member.value, scope, problem);
  if (problem || takes_values_) return false;
  FinishPoints(member.value, input_.sources, block);
  if (!block.is_list() || block.AsList().empty()) return false;
  const auto first = points_.find(member.key);
  if (first != points_.end() && first->second.changes_arguments) {
    checks += first->second.checks;
    return AreArgumentsAlike(block, first->second);
  }
  std::string typed(member.key);
  AppendTyped(block, typed);
  const Digest digest = Sha256Of(typed);
  std::string key(reinterpret_cast<const char*>(digest.data()), kPointsDigestBytes);
  const auto known = known_points_.find(key);
  if (known != known_points_.end()) {
    checks += known->second;
    return true;
  }
  std::optional<Points> points =
      PointsOf(std::move(block), IsNamed(member.key, "should") ? "should" : "should_not");
  if (!points) return false;
  checks += points->checks;
  if (known_points_.size() < kKnownPointsMax) known_points_.emplace(std::move(key), points->checks);
  if (first == points_.end()) {
    FindArguments(member.value, *points);
    points_.emplace(member.key, *std::move(points));
  }
  return true;
}

bool AlikeRows::IsPartAlike(const Part& part, const TemplateScope& scope, std::size_t& checks) {
  const Value& value = part.member->value;
  switch (part.kind) {
    case PartKind::kWords:
      return HasWords(value, scope, kFilledWordsMax);
    case PartKind::kName:
      return HasWords(value, scope, kFilledNameMax);
    case PartKind::kNames:
      if (!value.is_list()) return HasWords(value, scope, kFilledNameMax);
      return std::all_of(value.AsList().begin(), value.AsList().end(),
                         [&](const Value& name) { return HasWords(name, scope, kFilledNameMax); });
    case PartKind::kMessages:
      return HasMessages(value, scope);
    case PartKind::kPoints:
      return ArePointsAlike(*part.member, scope, checks);
    case PartKind::kUnknown:
      return false;
  }
  return false;
}

bool AlikeRows::IsAlike(const std::vector<std::string>& columns, const dataset::Row& row) {
  if (!can_ || whole_rows_ < kWholeRows) {
    ++whole_rows_;
    return false;
  }
  if (filler_ == nullptr) FindParts(columns);
  if (!can_ || row.id.size() > kFilledNameMax || IsBlank(row.id)) return false;
  const TemplateScope scope{row.cells, input_.sources, row.number, row.id};
  std::size_t checks = 0;
  for (const auto& [key, count] : plain_checks_) checks += count;
  for (const Part& part : parts_) {
    if (!IsPartAlike(part, scope, checks)) return false;
  }
  checks_ += checks;
  return true;
}

}  // namespace assay::blueprint
