// Any text as a script: it may do what it likes, and the next evaluation works as if nothing had been.
#include <cstdint>
#include <string_view>

#include "base/errors/assert.h"
#include "tests/fuzz/target.h"
#include "text/script/script.h"

FUZZ_TARGET(script)(const uint8_t* data, size_t size) {
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  assay::ScriptEngine engine;
  const auto outcome = engine.Eval(source, {{"r", assay::Value("a reply")}});
  ASSAY_ASSERT(outcome.kind != assay::ScriptOutcome::Kind::kLimit || !outcome.message.empty());
  const auto next = engine.Eval("[1].concat(2).length", {});
  ASSAY_ASSERT(next.kind == assay::ScriptOutcome::Kind::kValue && next.value.AsNumber() == 2);
  return 0;
}
