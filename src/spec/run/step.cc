// Looks up what a step is about.
#include "spec/run/step.h"

#include "spec/suite/suite.h"

namespace assay {

const Case& StepContext::TheCase() const { return suite.cases[case_index]; }

const Variant& StepContext::TheVariant() const { return suite.variants[variant_index]; }

}  // namespace assay
