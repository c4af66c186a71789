// Addresses in messages are fetched here, before anything is planned: services get bytes, never an address.
#pragma once

#include "engine/open/loaded.h"

namespace assay {

enum class Fetching {
  kNever,         // only what was fetched before: for looking at a plan
  kWhereAllowed,  // and what was not, unless the run is offline; what cannot be had is an error
};

// Gives each part of a message that is an address its bytes: those of a recording; else those of the suite's
// newest run where that is unfinished, or where nothing may be fetched; else what the address leads to now.
// Where it may lead, the rules of trust say: public addresses, and hosts that the user grants.
void FetchMedia(const Granted& granted, Fetching fetching, Loaded& loaded);

}  // namespace assay
