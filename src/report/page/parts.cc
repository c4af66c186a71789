// Formats scores, chips, names, citations and the best alternative path.
#include "report/page/parts.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "report/page/html/html_text.h"

namespace assay {
namespace {

constexpr int kScoreClasses = 10;

std::string Chip(std::string_view classes, std::string_view text) {
  return fmt::format("<span class=\"chip {}\">{}</span>", classes, text);
}

void AddToMean(const CheckNode& node, const Case& the_case, const Pair& pair, double& sum, double& weight) {
  if (node.op == CheckNode::Op::kLeaf) {
    const bool has_value = node.check < pair.points.size() && pair.points[node.check].has_value();
    if (!has_value) return;
    sum += *pair.points[node.check] * the_case.checks[node.check].weight;
    weight += the_case.checks[node.check].weight;
  }
  for (const CheckNode& child : node.children) AddToMean(child, the_case, pair, sum, weight);
}

}  // namespace

std::optional<double> MeanOfPath(const CheckNode& path, const Case& the_case, const Pair& pair) {
  double sum = 0;
  double weight = 0;
  AddToMean(path, the_case, pair, sum, weight);
  return weight > 0 ? std::optional<double>(sum / weight) : std::nullopt;
}

std::optional<BestPath> BestPathOf(const CheckNode& any, const Case& the_case, const Pair& pair) {
  std::optional<BestPath> best;
  for (std::size_t i = 0; i < any.children.size(); ++i) {
    const std::optional<double> mean = MeanOfPath(any.children[i], the_case, pair);
    if (mean && (!best || *mean > best->mean)) best = BestPath{i, *mean};
  }
  return best;
}

std::string ScoreText(double score, int digits) {
  return std::isnan(score) ? "NaN" : fmt::format("{:.{}f}", score, digits);
}

std::string ScoreClass(double score) {
  const double clamped = std::isnan(score) ? 0 : std::clamp(score, 0.0, 1.0);
  return fmt::format("s{}", static_cast<int>(std::lround(clamped * kScoreClasses)));
}

std::string FieldMarkup(const FieldState& state) {
  if (state.mean) {
    return fmt::format(" class={}>{}{}", ScoreClass(*state.mean), ScoreText(*state.mean, kFieldDigits),
                       state.any_partial ? "◐" : "");
  }
  if (state.any_error) return " class=e>err";
  if (state.any_partial) return " class=p>◐";
  return state.any_unscored ? " class=u>–" : ">";
}

std::string PairMark(const Pair& pair) {
  const std::string in_part =
      pair.partial > 0 ? fmt::format("<i class=p>◐ {} missing</i>", pair.missing) : std::string();
  if (const auto mean = pair.mean())
    return in_part + fmt::format("<i class={}>{}</i>", ScoreClass(*mean), ScoreText(*mean, kFieldDigits));
  if (pair.state == CellState::kPartial) return in_part;
  return pair.state == CellState::kError ? "<i class=e>error</i>" : "<i class=u>–</i>";
}

std::string ScoreChip(const Score& score, std::optional<double> mean) {
  if (mean) return Chip(ScoreClass(*mean), ScoreText(*mean, kFieldDigits));
  if (score.state == ScoreState::kMissing) return Chip("p", "◐");
  return score.state == ScoreState::kError ? Chip("e", "error") : Chip("u", "–");
}

std::pair<std::string_view, std::string_view> SplitVariantName(const Variant& variant) {
  const std::string_view id = variant.id;
  if (variant.model_id.empty() || !id.starts_with(variant.model_id)) return {id, {}};
  return {id.substr(0, variant.model_id.size()), id.substr(variant.model_id.size())};
}

void WriteVariantName(HtmlWriter& page, const PageModel& model, VariantIndex index) {
  const auto [base, suffix] = SplitVariantName(model.suite->variants[index]);
  page.Raw("<b>").Text(base).Raw("</b>");
  if (suffix.empty()) return;
  page.Raw(" <span>").Text(ParametersOf(model, index)).Raw("</span>");
}

std::string_view ParametersOf(const PageModel& model, VariantIndex index) {
  const std::string& words = model.parameters[index];
  return words.empty() ? SplitVariantName(model.suite->variants[index]).second : std::string_view(words);
}

void WriteCitation(HtmlWriter& page, const Value& citation) {
  const auto text_of = [&](std::string_view key) -> std::string_view {
    const Value* found = citation.Find(key);
    return found != nullptr && found->is_string() ? std::string_view(found->AsString()) : std::string_view();
  };
  std::string_view label = citation.is_string() ? std::string_view(citation.AsString()) : text_of("title");
  if (label.empty()) label = text_of("name");
  std::string_view url = citation.is_string() ? label : text_of("url");
  if (label.empty()) label = url;
  std::string html;
  AppendWebLink(url, label, html);
  page.Raw(html);
}

}  // namespace assay
