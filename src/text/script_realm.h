// What a script finds: the ECMAScript built-ins, a silent console and localeCompare by the Unicode rules.
// Internal to the script engine.
#pragma once

#include <quickjs.h>

namespace assay {

// A fresh realm in `runtime`, or null when memory ran out. No host objects, modules or timers.
JSContext* NewRealm(JSRuntime* runtime);

}  // namespace assay
