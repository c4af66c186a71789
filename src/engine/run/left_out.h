// Before the report of a run: leaves a case out for all variants where one of them could not be graded for
// want of a package.
#pragma once

#include "base/clock.h"
#include "plan/plan.h"
#include "store/store.h"

namespace assay {

// Where a program of a case failed for want of a package that its format brings and this machine lacks, the
// same check of every other answer to the case becomes an error too: variants are compared over the same
// cases. Errors are graded again by the next run of the same command. Does nothing where no package is
// absent.
Status LeaveOutCasesWithoutPackages(Store& store, const Plan& plan, const RunRecord& run, const Clock& clock);

}  // namespace assay
