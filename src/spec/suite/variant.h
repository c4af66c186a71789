// Who is asked (Variant) and who judges (Judge). Immutable once built.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spec/report/profile.h"
#include "spec/suite/agent_settings.h"
#include "spec/suite/media.h"
#include "spec/suite/model_ref.h"
#include "text/value.h"

namespace assay {

struct Variant : ModelRef {
  std::string id;        // unique in the suite: "openai:gpt-4o[temp:0.5]"
  std::string model_id;  // what the user wrote, without suffixes: "openai:gpt-4o"
  std::string label;     // what tables and pages call it instead, no part of any key; "": its id
  SamplingParams params;
  std::vector<ModelRef> fallbacks;    // asked in order where the model before is down
  std::optional<std::string> system;  // no system message if absent or empty
  std::optional<Profile> profile;     // how a system under test is set up; absent: the bare model is asked
  std::string generator;              // in the place of the case's; "": the case's
  std::string asking;                 // which of a case's askings it is asked; "": as AskingOf says
  AgentModel agent;                   // where the research agent answers
  std::vector<std::string> inputs;    // SHA-256 of the files that its command line names, in order
  std::string problem;                // why nobody can be asked, for people; "" if somebody can
  bool answers_freely = false;        // it is not told a case's answer_schema
  Value details;                      // what only the dialect's own reports need
};

struct Judge : ModelRef {
  std::string id;        // may be empty
  std::string label;     // how results name it: "strict(openai:gpt-4o)"
  std::string model_id;  // "openai:gpt-4o"
  std::string approach;  // "standard", "prompt-aware", "holistic"
  SamplingParams params;
  // The parts of messages that are sent to it; of others it reads that they were there.
  MediaKinds sees = {.image = true, .pdf = true, .audio = true};
};

}  // namespace assay
