// Reports, before the first call, every model of a plan that cannot be asked (no provider, no key, no
// address), each cause once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/errors/diagnostics.h"
#include "plan/plan.h"
#include "run/wire/endpoints.h"
#include "spec/exchange/recording.h"

namespace assay {

// An error for each reason (no such provider, no key, no address, a program that only the suite names) why
// models cannot be asked: candidates, judges, their backup, extractors of key points and whoever judges
// those, embedders. Left out is who cannot be asked because recordings answer. Nothing is sent.
void RefuseUnreachable(const Plan& plan, const std::vector<Recording>& recordings, const Endpoints& endpoints,
                       Diagnostics& diagnostics);
// The same of providers that do not exist alone, which needs neither keys nor addresses.
void RefuseUnknownProviders(const Plan& plan, const std::vector<Recording>& recordings,
                            Diagnostics& diagnostics);

// Tells of a model, "provider:model", that no provider has, or that is a slip of one in the table of models.
void TellUnknownModel(std::string_view model, Span where, Diagnostics& diagnostics);

// Whom the plan may ask of models that recordings do not answer for, stand-ins included.
struct ModelToAsk {
  std::string provider;
  std::string model;
  std::string base_url;
  Span span = {};
};
std::vector<ModelToAsk> ModelsToAsk(const Plan& plan, const std::vector<Recording>& recordings);

}  // namespace assay
