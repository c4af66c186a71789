// The digest of a plan: the content of its suite and of everything that decides its steps.
#include <fmt/core.h>

#include "plan/models_of.h"
#include "plan/plan.h"
#include "text/json.h"

namespace assay {

namespace {

void AppendText(std::string_view text, std::string& out) {
  out += fmt::format("{}:", text.size());
  out += text;
}

void AppendNode(const CheckNode& node, std::string& out) {
  out += fmt::format("({}{}", static_cast<int>(node.op), node.check);
  AppendText(node.label, out);
  for (const CheckNode& child : node.children) AppendNode(child, out);
  out += ')';
}

std::string OptionalNumber(const std::optional<double>& number) {
  return number ? fmt::format("{}", *number) : "-";
}

void AppendJudge(const Judge& judge, std::string& out) {
  for (const std::string& text : {judge.label, judge.provider, judge.model, judge.base_url, judge.approach}) {
    AppendText(text, out);
  }
  out += OptionalNumber(judge.params.temperature);
  if (!judge.custom.is_undefined()) AppendText(WriteEncoded(judge.custom, JsonStyle::kCanonical), out);
}

void AppendCase(const Case& the_case, std::string& out) {
  AppendText(the_case.id, out);
  for (const Turn& turn : the_case.turns) {
    out += fmt::format("{}{}", static_cast<int>(turn.role), static_cast<int>(turn.kind));
    AppendText(turn.text, out);
  }
  for (const Check& check : the_case.checks) {
    AppendText(check.kind, out);
    AppendText(check.text, out);
    AppendText(WriteEncoded(check.args, JsonStyle::kJavaScript), out);
    out += fmt::format("{}{}", check.weight, check.invert);
  }
  AppendNode(the_case.tree, out);
  AppendText(the_case.ideal.value_or(""), out);
  if (the_case.extracts_key_points) out += "k";
  for (const auto& bound :
       {the_case.full_score, the_case.null_score, the_case.max_score, the_case.min_score}) {
    if (bound) out += fmt::format("b{}", *bound);
  }
  out += fmt::format("{}{}{}", the_case.weight, static_cast<int>(the_case.system.kind),
                     OptionalNumber(the_case.temperature));
  AppendText(the_case.system.text, out);
  for (const VariantIndex variant : the_case.variants) out += fmt::format("v{}", variant);
  if (the_case.attempts) out += fmt::format("a{}", *the_case.attempts);
  if (!the_case.answer_schema.is_undefined())
    AppendText("schema" + WriteEncoded(the_case.answer_schema, JsonStyle::kCanonical), out);
}

// What else somebody wrote of the models, by their place among those of the plan: nothing where only
// temperatures are written, so that the digests of stored runs stay what they were.
void AppendWritten(const Plan& plan, std::string& out) {
  const std::vector<PlannedModel> models = ModelsOf(plan);
  for (std::size_t i = 0; i < models.size(); ++i) {
    const PlannedModel& model = models[i];
    std::string written;
    if (model.params != nullptr) {
      SamplingParams others = *model.params;
      others.temperature.reset();
      if (others.limit_is_default) others.max_tokens.reset();
      written = CanonicalParams(others);
    }
    if (model.stand_in > 0) written += fmt::format(",{}:{}", model.ref->provider, model.ref->model);
    if (!written.empty()) AppendText(fmt::format("m{}{}", i, written), out);
  }
}

// Length-prefixed texts, so that no two suites share a digest by where their texts are cut.
Digest DigestOf(const Plan& plan) {
  const Suite& suite = plan.suite();
  Sha256 hash;
  std::string head = fmt::format("assay-plan/1 {} {}", static_cast<int>(suite.compat), suite.attempts);
  for (const std::string& text : {suite.dialect, suite.id, suite.title, suite.description, suite.run_label,
                                  suite.aggregation.formula, suite.aggregation.reduce}) {
    AppendText(text, head);
  }
  head += fmt::format("{}", suite.judge_repairs);
  if (suite.judge_reading == JudgeReading::kFirstTags) head += "f";
  for (const Variant& variant : suite.variants) {
    for (const std::string& text :
         {variant.id, variant.provider, variant.model, variant.base_url, variant.system.value_or("\x01")}) {
      AppendText(text, head);
    }
    head += OptionalNumber(variant.params.temperature);
    if (!variant.custom.is_undefined()) AppendText(WriteEncoded(variant.custom, JsonStyle::kCanonical), head);
  }
  for (const Judge& judge : suite.judges) AppendJudge(judge, head);
  if (suite.backup_judge) AppendJudge(*suite.backup_judge, head);
  for (const Judge& extractor : suite.extractors) AppendJudge(extractor, head);
  if (suite.embedder) {
    for (const std::string& text :
         {suite.embedder->provider, suite.embedder->model, suite.embedder->base_url}) {
      AppendText(text, head);
    }
  }
  AppendWritten(plan, head);
  for (const Service& service : suite.services) {
    AppendText(service.name, head);
    AppendText(WriteEncoded(service.settings, JsonStyle::kJavaScript), head);
  }
  for (const Toolchain& toolchain : suite.toolchains) {
    AppendText(toolchain.language, head);
    AppendText(toolchain.digest, head);
  }
  if (suite.programs.strict) head += 's';
  if (!suite.programs.memo) head += 'n';
  if (suite.grades_empty_answers) head += 'e';
  if (plan.verdict_form() == VerdictForm::kJson) head += 'j';
  hash.Update(head);
  for (const Case& the_case : suite.cases) {
    std::string text;
    AppendCase(the_case, text);
    hash.Update(text);
  }
  return hash.Finish();
}

}  // namespace

Digest Plan::digest() const { return DigestOf(*this); }

}  // namespace assay
