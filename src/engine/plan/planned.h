// The second pass, Loaded -> Planned: plans the suite and prepares what running it needs (toolchains,
// endpoints, recordings). Nothing is asked but the runtimes of programs for their versions.
#pragma once

#include <memory>
#include <vector>

#include "engine/open/problems.h"
#include "engine/open/reachable.h"
#include "engine/open/recordings.h"
#include "io/toolchain/toolchain.h"
#include "plan/plan.h"
#include "run/wire/endpoints.h"
#include "run/wire/router.h"

namespace assay {

struct DialectRow;
struct Loaded;

// What a plan is for decides what has to be in order.
enum class Purpose {
  kCheck,  // and providers exist
  kPrice,  // the plan, and where its models are asked; keys do not matter
  kRun,    // and everybody whom it asks can be asked, at a price that is known where there is a budget
};

struct Planned {
  Problems problems;  // of reading and planning
  const DialectRow* dialect = nullptr;
  std::shared_ptr<const Plan> plan;            // null after an error
  std::vector<InstalledToolchain> toolchains;  // of the languages of its programs
  OpenedRecordings recorded;
  Endpoints endpoints;  // kPrice, kRun
  ProgramInputs program_inputs = {};
};

// Whom a run may ask, its opening and its closing part included, of what recordings do not answer for.
std::vector<ModelToAsk> ModelsOfRun(const Planned& planned, const RunSpec& spec);

Planned MakePlan(Loaded loaded, const RunSpec& spec, const Granted& granted, Purpose purpose);

}  // namespace assay
