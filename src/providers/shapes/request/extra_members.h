// Adds the members that the user wants in a request although no codec knows them (SamplingParams::extra).
#pragma once

#include <string>

#include "text/value.h"

namespace assay {

// `members`: a map, or undefined for none. They stand behind the body's own, in their order and as they are;
// one whose name is there already takes its place, and a map there gets the members of the other
// (generationConfig). `body` is JSON.
void AddMembers(const Value& members, std::string& body);

}  // namespace assay
