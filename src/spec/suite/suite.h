// The shared data of every dialect: the cases that are asked (case.h), how they are graded (check.h), and of
// whom (variant.h). Immutable once built. docs/glossary.md maps each dialect's words to these.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/span.h"
#include "spec/ids.h"
#include "spec/suite/agent_settings.h"
#include "spec/suite/case.h"
#include "spec/suite/embedder.h"
#include "spec/suite/outside.h"
#include "spec/suite/suite_rules.h"
#include "spec/suite/variant.h"
#include "text/value.h"

namespace assay {

struct SourceFile {
  std::string path;  // as the user named it
  FileId file = FileId::kNone;
  std::string sha256;
};

struct Suite {
  std::string id;
  std::string title;
  std::string description;
  std::string dialect;
  Compat compat = Compat::kNone;
  std::vector<SourceFile> files;
  std::vector<Case> cases;
  std::vector<Variant> variants;
  std::vector<Judge> judges;
  std::vector<Judge> named_judges;    // asked only where a check names them (Check::judges)
  std::optional<Judge> backup_judge;  // asked once per check when any judge of the suite's failed
  std::optional<ErrorMarker> error_marker;
  std::vector<Judge> extractors;     // asked in order for an ideal's key points, until one gives some
  AgentSettings agent;               // of variants that the research agent answers
  std::optional<Embedder> embedder;  // embeds answers and ideals; absent: their similarity is not asked for
  CorpusSettings corpus;
  std::vector<Service> services;
  std::vector<ScriptSource> scripts;
  std::vector<Toolchain>
      toolchains;  // filled in by whoever runs the suite; a language that is not here is missing
  // Kinds of grading that the format defines, beside those that every suite may name: "unit_test".
  std::vector<std::string> offered_checks;
  ProgramRules programs;
  GradingRules grading;
  bool grades_empty_answers = false;  // an empty answer is an answer like any other, not an error
  bool takes_silence = false;         // and so is a reply without a word: it is not asked for again
  bool thinkers_have_room = false;    // a model that thinks may answer at length where nobody limits it
  JudgeReading judge_reading = JudgeReading::kAfterReflection;
  std::uint32_t judge_repairs = 1;  // how often a judge whose reply cannot be read is asked to repeat it
  AttemptIndex attempts = 1;
  std::vector<AttemptIndex> pass_at_k;  // numbers of tries that reports tell of, each once
  CellOrder order = CellOrder::kByCase;
  Aggregation aggregation;
  ScoreBounds score_bounds;
  Completeness completeness;
  std::vector<std::string> tags;
  Value author;      // a text or {name, url}; undefined if there is none
  Value references;  // a list of {title, url}; undefined if there are none
  std::optional<std::uint32_t> concurrency;
  bool has_default_concurrency = false;  // the format names it, and not the author: networked pools may widen
  std::string assumed_models;            // the collection that is asked because nobody named models; else ""
  bool refuses_unusable = false;  // models of no provider, scripts that do not compile and so on are errors
  std::string run_label;  // names the run in the dialect's own files; part of what fixtures are picked by
  Value normal_form;      // `assay check --json`: the file after parsing, in the dialect's own terms
  Value details;          // what only the dialect's own reports need
  Span span;
};

// Whoever may judge or extract: the judges, the backup, the extractors, those that checks name.
std::vector<const Judge*> JudgesOf(const Suite& suite);

}  // namespace assay
