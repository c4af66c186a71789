// Walks a tree and renders its texts.
#include "text/template/fill.h"

#include <algorithm>

#include "text/template/braces.h"

namespace assay {

const Templated<std::unique_ptr<const CompiledTemplate>>& TreeFiller::Compiled(const std::string& text) {
  const auto found = compiled_.find(text);
  if (found != compiled_.end()) return found->second;
  auto& compiled = compiled_.emplace(text, engine_.Compile(text, columns_)).first->second;
  const auto* whole = std::get_if<0>(&compiled);
  std::optional<TemplateProblem> unknown =
      whole == nullptr || members_ == nullptr ? std::nullopt : (*whole)->UnknownMember(*members_);
  if (unknown) compiled = *std::move(unknown);
  return compiled;
}

bool TreeFiller::HasTemplates(const Value& tree) {
  if (tree.is_string()) {
    if (!HasBraces(tree.AsString())) return false;
    const auto& compiled = Compiled(tree.AsString());
    return std::holds_alternative<TemplateProblem>(compiled) || !std::get<0>(compiled)->IsPlain();
  }
  if (tree.is_list()) {
    return std::any_of(tree.AsList().begin(), tree.AsList().end(),
                       [this](const Value& item) { return HasTemplates(item); });
  }
  if (!tree.is_map()) return false;
  const Map& map = tree.AsMap();
  return std::any_of(map.begin(), map.end(), [&](const Member& member) {
    return !(keeps_ && keeps_(map, member)) && HasTemplates(member.value);
  });
}

void TreeFiller::FillItem(const Value& item, const TemplateScope& scope, std::optional<FillProblem>& problem,
                          List& out) {
  Value filled = Fill(item, scope, problem);
  if (filled.is_undefined()) return;
  if (item.is_string() && filled.is_list()) {
    for (Value& each : filled.AsList()) out.push_back(std::move(each));
  } else {
    out.push_back(std::move(filled));
  }
}

Value TreeFiller::Fill(const Value& tree, const TemplateScope& scope, std::optional<FillProblem>& problem) {
  if (problem) return tree;
  if (tree.is_list()) {
    List items;
    for (const Value& item : tree.AsList()) FillItem(item, scope, problem, items);
    Value filled(std::move(items));
    filled.span = tree.span;
    return filled;
  }
  if (tree.is_map()) {
    Map members;
    for (const Member& member : tree.AsMap()) {
      Value value =
          keeps_ && keeps_(tree.AsMap(), member) ? member.value : Fill(member.value, scope, problem);
      if (!value.is_undefined()) members.Append(member.key, std::move(value), member.key_span);
    }
    Value filled(std::move(members));
    filled.span = tree.span;
    return filled;
  }
  if (!tree.is_string() || !HasBraces(tree.AsString())) return tree;
  const auto& compiled = Compiled(tree.AsString());
  if (const auto* wrong = std::get_if<TemplateProblem>(&compiled)) {
    problem = FillProblem{*wrong, tree.span};
    return tree;
  }
  Templated<Value> filled = std::get<0>(compiled)->Filled(scope);
  if (auto* wrong = std::get_if<TemplateProblem>(&filled)) {
    problem = FillProblem{std::move(*wrong), tree.span};
    return tree;
  }
  Value value = std::get<Value>(std::move(filled));
  if (value.is_null()) return Value();
  if (takes_ && (value.is_list() || value.is_map())) takes_(value, tree.span);
  // A text is told of where its template stands; other values keep their own place, and with it their digits.
  const bool is_moved = value.is_string() && !are_cells_told_;
  if (is_moved || value.span.file == FileId::kNone) value.span = tree.span;
  return value;
}

Value TreeFiller::FillText(const Value& text, const TemplateScope& scope,
                           std::optional<FillProblem>& problem) {
  if (problem || !text.is_string() || !HasBraces(text.AsString())) return text;
  const auto& compiled = Compiled(text.AsString());
  const TemplateProblem* wrong = std::get_if<TemplateProblem>(&compiled);
  if (wrong == nullptr) {
    Templated<std::string> filled = std::get<0>(compiled)->Text(scope);
    if (auto* words = std::get_if<std::string>(&filled)) {
      Value value(std::move(*words));
      value.span = text.span;
      return value;
    }
    problem = FillProblem{std::get<TemplateProblem>(std::move(filled)), text.span};
  } else {
    problem = FillProblem{*wrong, text.span};
  }
  return text;
}

}  // namespace assay
