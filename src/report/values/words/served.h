// Sentences on who answered, where that was another model than the one that was asked.
#pragma once

#include <string>
#include <vector>

#include "spec/report/report.h"
#include "spec/score/score.h"

namespace assay {

// "gemini-2.5-flash was answered by gemini-3.5-flash-lite, 312 of 312": a line for each model that was asked
// and each other one that answered; of judges and other helpers with their role.
std::vector<std::string> OtherModelLines(const RunTotals& totals);

// "3 replies name no model: --strict-models cannot check them"; "": each names one, or nobody counted.
std::string UnnamedLine(const RunTotals& totals);

// Both: what a page notes of the models that answered.
std::vector<std::string> ModelNotes(const RunTotals& totals);

// Whether a program under test names this model, and not the one that it has requested.
bool IsUnrequested(const Suite& suite, const ServedCount& served);

// "python3 agent.py: gpt-6-luna answered, as the program says, 12 of 12": of programs under test that name
// models, and not which ones they have requested.
std::vector<std::string> ProgramModelLines(const Suite& suite, const RunTotals& totals);

// The model that answered in place of the variant's own: one that stood in, or another one under its name;
// "": none.
std::string AnsweredBy(const AttemptRecord& record);

// The names by which replies to a variant's requests call who answered, in their order, joined by commas; "":
// they do not say.
std::string ServedNames(const RunTotals& totals, VariantIndex variant);

}  // namespace assay
