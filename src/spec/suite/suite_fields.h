// The fields of everything that a Suite is made of, one list per struct. The same list serves the stored form
// of a suite, its reader and the digest of a plan (stored_suite.h), so that none of them can forget one. What
// is in no list stands in `left_out`, with the reason; tools/tidy tells which field stands in neither.
//
// Names are persisted: they never change meaning. A field that is new needs no new version as long as its
// default means what was the case before.
#pragma once

#include <array>
#include <string_view>
#include <tuple>

#include "spec/suite/agent_fields.h"
#include "spec/suite/media_fields.h"
#include "spec/suite/model_fields.h"
#include "spec/suite/stored_field.h"
#include "spec/suite/suite.h"
#include "spec/suite/suite_rules.h"

namespace assay {

template <>
struct FieldsOf<Turn> {
  static constexpr std::tuple list{Field{"role", &Turn::role}, Field{"kind", &Turn::kind},
                                   Field{"text", &Turn::text}, Field{"media", &Turn::media}};
  static constexpr std::array<LeftOutNames, 1> left_out = {"span"};  // a place in a file
};

template <>
struct FieldsOf<Check> {
  static constexpr std::tuple list{Field{"id", &Check::id},
                                   Field{"kind", &Check::kind},
                                   Field{"args", &Check::args, FieldUse::kHoldsSecrets},
                                   Field{"weight", &Check::weight},
                                   Field{"invert", &Check::invert},
                                   Field{"regex_flavour", &Check::regex_flavour},
                                   Field{"judges", &Check::judges},
                                   Field{"threshold", &Check::threshold},
                                   Field{"metric", &Check::metric},
                                   Field{"text", &Check::text},
                                   Field{"citation", &Check::citation},
                                   Field{"extract", &Check::extract}};
  // A place in a file, and what the reader said of it.
  static constexpr std::array<LeftOutNames, 3> left_out = {"span", "written", "is_told"};
};

template <>
struct FieldsOf<CheckNode> {
  static constexpr std::tuple list{Field{"op", &CheckNode::op}, Field{"children", &CheckNode::children},
                                   Field{"check", &CheckNode::check}, Field{"label", &CheckNode::label}};
  static constexpr std::array<LeftOutNames, 0> left_out = {};
};

template <>
struct FieldsOf<SystemOverride> {
  static constexpr std::tuple list{Field{"kind", &SystemOverride::kind},
                                   Field{"text", &SystemOverride::text}};
  static constexpr std::array<LeftOutNames, 0> left_out = {};
};

template <>
struct FieldsOf<CaseDocument> {
  static constexpr std::tuple list{
      Field{"id", &CaseDocument::id}, Field{"title", &CaseDocument::title}, Field{"url", &CaseDocument::url},
      Field{"path", &CaseDocument::path, FieldUse::kTold}, Field{"sha256", &CaseDocument::sha256}};
  static constexpr std::array<LeftOutNames, 1> left_out = {"blob"};  // the file has it, under `sha256`
};

template <>
struct FieldsOf<CaseAsking> {
  static constexpr std::tuple list{Field{"provider", &CaseAsking::name}, Field{"text", &CaseAsking::text},
                                   Field{"turns", &CaseAsking::turns}, Field{"sources", &CaseAsking::sources},
                                   Field{"problem", &CaseAsking::problem}};
  static constexpr std::array<LeftOutNames, 0> left_out = {};
};

template <>
struct FieldsOf<Profile> {
  static constexpr std::tuple list{Field{"id", &Profile::id},
                                   Field{"model_alias", &Profile::model_alias},
                                   Field{"source_provider", &Profile::source_provider},
                                   Field{"research_mode", &Profile::research_mode},
                                   Field{"lean", &Profile::lean},
                                   Field{"preload_local_sources", &Profile::preload_local_sources},
                                   Field{"preload_shortlist", &Profile::preload_shortlist},
                                   Field{"save_history", &Profile::save_history},
                                   Field{"disabled_tools", &Profile::disabled_tools},
                                   Field{"additional_source_context", &Profile::additional_source_context},
                                   Field{"query_prefix", &Profile::query_prefix},
                                   Field{"query_suffix", &Profile::query_suffix}};
  static constexpr std::array<LeftOutNames, 0> left_out = {};
};

template <>
struct FieldsOf<Case> {
  static constexpr std::tuple list{Field{"id", &Case::id},
                                   Field{"description", &Case::description},
                                   Field{"render_as", &Case::render_as},
                                   Field{"citation", &Case::citation},
                                   Field{"turns", &Case::turns},
                                   Field{"generator", &Case::generator},
                                   Field{"checks", &Case::checks},
                                   Field{"tree", &Case::tree},
                                   Field{"ideal", &Case::ideal},
                                   Field{"weight", &Case::weight},
                                   Field{"full_score", &Case::full_score},
                                   Field{"null_score", &Case::null_score},
                                   Field{"max_score", &Case::max_score},
                                   Field{"min_score", &Case::min_score},
                                   Field{"extracts_key_points", &Case::extracts_key_points},
                                   Field{"tags", &Case::tags},
                                   Field{"cluster", &Case::cluster, FieldUse::kTold},
                                   Field{"groups", &Case::groups, FieldUse::kTold},
                                   Field{"pass_at", &Case::pass_at, FieldUse::kTold},
                                   Field{"flaky", &Case::is_flaky, FieldUse::kTold},
                                   Field{"system", &Case::system},
                                   Field{"temperature", &Case::temperature},
                                   Field{"documents", &Case::documents},
                                   Field{"queries", &Case::askings},
                                   Field{"answer_schema", &Case::answer_schema},
                                   Field{"variants", &Case::variants},
                                   Field{"attempts", &Case::attempts},
                                   Field{"details", &Case::details},
                                   Field{"row", &Case::row},
                                   Field{"unshown_turns", &Case::unshown_turns}};
  static constexpr std::array<LeftOutNames, 1> left_out = {"span"};
};

template <>
struct FieldsOf<Variant> {
  static constexpr std::tuple list{Field{"id", &Variant::id},
                                   Field{"model_id", &Variant::model_id},
                                   Field{"label", &Variant::label, FieldUse::kTold},
                                   Field{"provider", &Variant::provider},
                                   Field{"model", &Variant::model},
                                   Field{"base_url", &Variant::base_url, FieldUse::kHoldsSecrets},
                                   Field{"custom", &Variant::custom, FieldUse::kHoldsSecrets},
                                   Field{"params", &Variant::params},
                                   Field{"fallbacks", &Variant::fallbacks},
                                   Field{"system", &Variant::system},
                                   Field{"profile", &Variant::profile},
                                   Field{"generator", &Variant::generator},
                                   Field{"asking", &Variant::asking},
                                   Field{"agent", &Variant::agent},
                                   Field{"inputs", &Variant::inputs},
                                   Field{"problem", &Variant::problem, FieldUse::kTold},
                                   Field{"answers_freely", &Variant::answers_freely},
                                   Field{"details", &Variant::details, FieldUse::kHoldsSecrets}};
  static constexpr std::array<LeftOutNames, 1> left_out = {"span"};
};

template <>
struct FieldsOf<Judge> {
  static constexpr std::tuple list{Field{"id", &Judge::id},
                                   Field{"label", &Judge::label},
                                   Field{"model_id", &Judge::model_id},
                                   Field{"provider", &Judge::provider},
                                   Field{"model", &Judge::model},
                                   Field{"base_url", &Judge::base_url, FieldUse::kHoldsSecrets},
                                   Field{"custom", &Judge::custom, FieldUse::kHoldsSecrets},
                                   Field{"approach", &Judge::approach},
                                   Field{"params", &Judge::params},
                                   Field{"sees", &Judge::sees}};
  static constexpr std::array<LeftOutNames, 1> left_out = {"span"};
};

template <>
struct FieldsOf<Service> {
  static constexpr std::tuple list{Field{"name", &Service::name},
                                   Field{"settings", &Service::settings, FieldUse::kHoldsSecrets}};
  static constexpr std::array<LeftOutNames, 0> left_out = {};
};

template <>
struct FieldsOf<ScriptSource> {
  static constexpr std::tuple list{Field{"path", &ScriptSource::path},
                                   Field{"source", &ScriptSource::source}};
  static constexpr std::array<LeftOutNames, 0> left_out = {};
};

template <>
struct FieldsOf<Aggregation> {
  static constexpr std::tuple list{Field{"formula", &Aggregation::formula},
                                   Field{"reduce", &Aggregation::reduce}};
  static constexpr std::array<LeftOutNames, 0> left_out = {};
};

template <>
struct FieldsOf<ScoreBounds> {
  static constexpr std::tuple list{Field{"are_known", &ScoreBounds::are_known},
                                   Field{"low", &ScoreBounds::low}, Field{"high", &ScoreBounds::high}};
  static constexpr std::array<LeftOutNames, 0> left_out = {};
};

template <>
struct FieldsOf<ProgramRules> {
  static constexpr std::tuple list{Field{"strict", &ProgramRules::strict}, Field{"memo", &ProgramRules::memo},
                                   Field{"missing_fails", &ProgramRules::missing_fails},
                                   Field{"only_original_languages", &ProgramRules::only_original_languages},
                                   Field{"shows_tests", &ProgramRules::shows_tests}};
  static constexpr std::array<LeftOutNames, 0> left_out = {};
};

template <>
struct FieldsOf<GradingRules> {
  static constexpr std::tuple list{Field{"nan_is_score", &GradingRules::nan_is_score},
                                   Field{"python_words", &GradingRules::python_words},
                                   Field{"agreement_by_label", &GradingRules::agreement_by_label},
                                   Field{"original_accidents", &GradingRules::original_accidents}};
  static constexpr std::array<LeftOutNames, 0> left_out = {};
};

template <>
struct FieldsOf<Completeness> {
  static constexpr std::tuple list{Field{"accepts_partial", &Completeness::accepts_partial},
                                   Field{"needs_every_cell", &Completeness::needs_every_cell}};
  static constexpr std::array<LeftOutNames, 0> left_out = {};
};

template <>
struct FieldsOf<ErrorMarker> {
  static constexpr std::tuple list{Field{"open", &ErrorMarker::open}, Field{"close", &ErrorMarker::close},
                                   Field{"fallback", &ErrorMarker::fallback}};
  static constexpr std::array<LeftOutNames, 0> left_out = {};
};

template <>
struct FieldsOf<SourceFile> {
  static constexpr std::tuple list{Field{"path", &SourceFile::path}, Field{"sha256", &SourceFile::sha256}};
  static constexpr std::array<LeftOutNames, 1> left_out = {"file"};  // a number of this process
};

template <>
struct FieldsOf<Toolchain> {
  static constexpr std::tuple list{Field{"language", &Toolchain::language},
                                   Field{"digest", &Toolchain::digest}, Field{"missing", &Toolchain::missing},
                                   Field{"absent", &Toolchain::absent}};
  static constexpr std::array<LeftOutNames, 0> left_out = {};
};

// The suite but for its cases, which are stored one by one.
template <>
struct FieldsOf<Suite> {
  static constexpr std::tuple list{
      Field{"id", &Suite::id},
      Field{"title", &Suite::title},
      Field{"description", &Suite::description},
      Field{"dialect", &Suite::dialect},
      Field{"compat", &Suite::compat},
      Field{"files", &Suite::files, FieldUse::kTold},
      Field{"variants", &Suite::variants},
      Field{"judges", &Suite::judges},
      Field{"named_judges", &Suite::named_judges},
      Field{"backup_judge", &Suite::backup_judge},
      Field{"error_marker", &Suite::error_marker},
      Field{"extractors", &Suite::extractors},
      Field{"agent", &Suite::agent},
      Field{"embedder", &Suite::embedder},
      Field{"corpus", &Suite::corpus},
      Field{"services", &Suite::services},
      Field{"scripts", &Suite::scripts},
      Field{"offered_checks", &Suite::offered_checks},
      Field{"programs", &Suite::programs},
      Field{"grading", &Suite::grading},
      Field{"grades_empty_answers", &Suite::grades_empty_answers},
      Field{"takes_silence", &Suite::takes_silence},
      Field{"judge_reading", &Suite::judge_reading},
      Field{"thinkers_have_room", &Suite::thinkers_have_room},
      Field{"judge_repairs", &Suite::judge_repairs},
      Field{"attempts", &Suite::attempts},
      Field{"pass_at_k", &Suite::pass_at_k, FieldUse::kTold},
      Field{"order", &Suite::order},
      Field{"aggregation", &Suite::aggregation},
      Field{"score_bounds", &Suite::score_bounds, FieldUse::kTold},
      Field{"completeness", &Suite::completeness},
      Field{"tags", &Suite::tags},
      Field{"author", &Suite::author},
      Field{"references", &Suite::references},
      Field{"concurrency", &Suite::concurrency, FieldUse::kTold},
      Field{"default_concurrency", &Suite::has_default_concurrency, FieldUse::kTold},
      Field{"run_label", &Suite::run_label},
      Field{"details", &Suite::details, FieldUse::kHoldsSecrets}};
  static constexpr std::array<LeftOutNames, 6> left_out = {
      "cases",             // a line each, see stored_suite.h
      "toolchains",        // facts of a run's machine, kept with the run
      "normal_form",       // what `assay check --json` prints
      "assumed_models",    // told before a run
      "refuses_unusable",  // what was refused never ran
      "span",
  };
};

}  // namespace assay
