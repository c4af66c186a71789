// Runs scripts within the limits of a heap, and says how they ended. Internal to the script engine.
#pragma once

#include <quickjs.h>

#include <chrono>
#include <string_view>

#include "text/cpu_budget.h"
#include "text/limits.h"
#include "text/script/heap.h"
#include "text/script/script.h"

namespace assay {

// A runtime whose memory is the heap, which outlives it; null when memory ran out. It is never freed: its
// blocks go with the heap.
JSRuntime* NewLimitedRuntime(ScriptHeap& heap);

// "the script " + what.
ScriptOutcome ScriptLimit(std::string_view what);
// What the pending exception says.
ScriptOutcome ThrownBy(JSContext* context, bool while_compiling);
ScriptOutcome ClassifyResult(JSContext* context, JSValueConst result);
// Replaces the outcome by the limit that the script met, and says what it took.
void TellLimits(CpuBudget& cpu, const ScriptHeap& heap, ScriptOutcome& outcome);

// What `run` makes of a fresh runtime, within the limits of time, memory and stack.
template <class RunIn>
ScriptOutcome WithinLimits(std::chrono::nanoseconds time, const RunIn& run) {
  CpuBudget cpu(time);
  cpu.Exhausted();
  ScriptHeap heap(limits::kScriptMemoryBytesMax, cpu);
  ScriptOutcome outcome = ScriptLimit("could not be started");
  JSRuntime* runtime = NewLimitedRuntime(heap);
  if (runtime != nullptr) run(runtime, outcome);
  TellLimits(cpu, heap, outcome);
  return outcome;
}

}  // namespace assay
