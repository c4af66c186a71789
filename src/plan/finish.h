// Finish: puts what the user asked for and what this machine has into a suite, as the last step of making it.
// Nothing changes a suite afterwards.
#pragma once

#include <cstddef>
#include <vector>

#include "providers/facts/model_facts.h"
#include "spec/run/run_spec.h"
#include "spec/suite/outside.h"

namespace assay {

struct Suite;

// What a run finds where it is made.
struct Machine {
  std::vector<Toolchain> toolchains;  // of the languages that the suite's programs are in
  std::size_t programs = 1;           // that run at once
  const ModelBook& models;
};

Suite Finish(Suite suite, const Machine& machine, const RunSpec& spec);

}  // namespace assay
