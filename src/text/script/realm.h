// Creates the JavaScript environment of a script: the ECMAScript built-ins, a silent console, localeCompare
// by Unicode rules, fixed time and chance. Internal to the script engine.
#pragma once

#include <quickjs.h>

#include <string_view>

#include "text/script/script.h"

namespace assay {

// A fresh realm in `runtime`, or null when memory ran out. No host objects, modules or timers.
JSContext* NewRealm(JSRuntime* runtime);

// Adds RegExp.$1 to RegExp.$9, which the engine lacks. Apart from the rest because it takes the engine's
// short cut for regexes away: for scripts that name them. False with an exception pending.
bool AddLastMatch(JSContext* context);

// Makes Date and Math.random say what `world` says. For scripts that name them, before they run: it costs
// half as much as a realm. False with an exception pending.
bool FixWorld(JSContext* context, const ScriptWorld& world);

// Adds Intl, of which there is only Collator and NumberFormat: localeCompare and toLocaleString under other
// names. For scripts that name it.
bool AddIntl(JSContext* context);

// Adds structuredClone, of values that JSON knows, dates, maps and sets. For scripts that name it.
bool AddStructuredClone(JSContext* context);

// Makes toLocaleString and its kin speak en-US, or throw where something else is asked for. For scripts that
// name one of them.
bool AddLocaleForms(JSContext* context);

// Of all these what `source` names. False with an exception pending.
bool AddWhatIsNamed(JSContext* context, std::string_view source, const ScriptWorld& world);

}  // namespace assay
