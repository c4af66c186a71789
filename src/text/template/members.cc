// Gathers the names of members, and follows paths through them.
#include "text/template/members.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/errors/diagnostics.h"
#include "base/text/ascii.h"
#include "text/template/limits.h"

namespace assay {

namespace {

constexpr std::uint32_t kOfRow = 1;

bool HasMembers(const Value& value) {
  if (value.is_map()) return true;
  return value.is_list() && std::any_of(value.AsList().begin(), value.AsList().end(), HasMembers);
}

std::string WrittenMember(std::string_view name) {
  const bool is_plain = std::all_of(name.begin(), name.end(),
                                    [](char c) { return IsAsciiAlphanumeric(c) || c == '_' || c < 0; });
  return is_plain ? fmt::format(".{}", name) : fmt::format("[\"{}\"]", name);
}

// "did you mean {{a.b}}?", else what members there are.
std::string HintOfMembers(std::string_view before, std::string_view name,
                          const std::vector<std::string>& names) {
  if (const std::string_view near = NearName(name, names); !near.empty())
    return fmt::format("did you mean {{{{{}{}}}}}?", before, WrittenMember(near));
  std::string hint = "the members are";
  constexpr std::size_t kNamed = 12;
  for (std::size_t i = 0; i < std::min(names.size(), kNamed); ++i)
    hint += fmt::format("{} {}", i == 0 ? "" : ",", Quoted(names[i]));
  if (names.size() > kNamed) hint += fmt::format(" and {} more", names.size() - kNamed);
  return hint;
}

}  // namespace

MemberNames::NodeIndex MemberNames::NewNode() {
  nodes_.emplace_back();
  return static_cast<NodeIndex>(nodes_.size() - 1);
}

void MemberNames::AddValue(const Value& value, NodeIndex& index, int depth) {
  if (is_full_ || !HasMembers(value)) return;
  if (depth > limits::kMemberDepthMax) {
    is_full_ = true;
    return;
  }
  const NodeIndex node = index != 0 ? index : NewNode();
  index = node;
  if (value.is_map()) return AddMembers(value.AsMap(), node, depth);
  NodeIndex items = nodes_[node].items;
  for (const Value& item : value.AsList()) AddValue(item, items, depth + 1);
  nodes_[node].items = items;
}

void MemberNames::AddMembers(const Map& map, NodeIndex node, int depth) {
  for (const Member& member : map) {
    // Columns are known by themselves; here are those with members.
    if (node == kOfRow && !HasMembers(member.value)) continue;
    const auto found = nodes_[node].members.find(member.key);
    NodeIndex below = 0;
    if (found != nodes_[node].members.end()) {
      below = found->second;
    } else {
      if (++count_ > limits::kMemberNamesMax) is_full_ = true;
      if (is_full_) return;
      nodes_[node].members.emplace(member.key, 0);
      nodes_[node].names.push_back(member.key);
    }
    const NodeIndex known = below;
    AddValue(member.value, below, depth + 1);
    if (below != known) nodes_[node].members.find(member.key)->second = below;
  }
}

void MemberNames::Add(const Map& row) {
  if (!is_full_) AddMembers(row, kOfRow, 0);
}

void MemberNames::WrapIn(std::string_view column, const std::vector<std::string>& columns) {
  for (const std::string& name : columns) {
    if (nodes_[kOfRow].members.emplace(name, 0).second) nodes_[kOfRow].names.push_back(name);
  }
  const NodeIndex below = NewNode();
  std::swap(nodes_[below], nodes_[kOfRow]);
  nodes_[kOfRow].members.emplace(column, below);
}

std::optional<TemplateProblem> MemberNames::ProblemOf(const RowPath& path) const {
  if (is_full_) return std::nullopt;
  const auto column = nodes_[kOfRow].members.find(path.name);
  NodeIndex node = column == nodes_[kOfRow].members.end() ? 0 : column->second;
  std::string before = path.name;
  for (const auto& step : path.steps) {
    if (node == 0) return std::nullopt;
    const auto* name = std::get_if<std::string>(&step);
    if (name == nullptr) {
      node = nodes_[node].items;
      before += fmt::format("[{}]", std::get<std::int64_t>(step));
      continue;
    }
    const Node& of = nodes_[node];
    // A list where a member is named is told of the row.
    if (of.members.empty()) return std::nullopt;
    const auto found = of.members.find(*name);
    if (found == of.members.end()) {
      const std::string written = before + WrittenMember(*name);
      return TemplateProblem{.code = "template.unknown",
                             .message = fmt::format("no row has {}", Quoted(written)),
                             .hint = HintOfMembers(before, *name, of.names),
                             .name = written};
    }
    node = found->second;
    before += WrittenMember(*name);
  }
  return std::nullopt;
}

}  // namespace assay
