// Extracts the code from a model's answer: what stands between fences, or the whole answer where there are
// none, cut by the language's own rule. Pure.
//   source  InfiBench's evaluator (spec infibench 7.2); known deviations: none
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "checks/languages/language.h"
#include "spec/score/marks.h"

namespace assay {

// Which of several blocks count. `of the language`: those whose fence names it; where none does, those whose
// fence names no language.
enum class FencedCode { kAll, kOnlyLongest, kOfLanguage, kLongestOfLanguage };

// How TakenWords begins, or goes on, where it tells of these.
inline constexpr std::string_view kNoCodeFound = "no code was found";
inline constexpr std::string_view kBlocksJoined = "blocks were joined";

// Lines that hold ``` or \begin{code} or \end{code} open and close blocks by turns; the last is dropped if it
// closes nothing. All blocks are joined by a blank line. With fewer than two such marks the answer is code as
// it stands, cut by the language's own rule.
std::string ExtractCode(const LanguageRow& language, std::string text, FencedCode which);

// The same places of the text, from `from` on, as ranges that count from there.
GradedBlock BlockOf(const LanguageRow& language, std::string_view text, FencedCode which, std::size_t from);

// What was taken for the code where an author may not expect it: "2 blocks were joined, one of them
// javascript". "" where the answer has one block that begins at the margin.
std::string TakenWords(const LanguageRow& language, std::string_view text, FencedCode which);

// Cuts the text at the first place of each of the texts, in turn.
std::string CutAtFirst(std::string text, std::span<const std::string_view> stops);
// Cuts behind the brace that closes the `depth`-th one from outside; nothing if none does.
bool CutBehindClosingBrace(std::string& text, int depth);
// Cuts behind the last closing brace, if there is one.
void CutBehindLastBrace(std::string& text);

// LanguageRow::bare_code of languages with braces: up to the brace that closes the first one, else up to the
// last.
std::string CutToBraces(std::string text);
// LanguageRow::assemble: the header and the body, without white space at both ends.
std::string StrippedWithHeader(std::string_view header, std::string body);

// The text without the white space of Python's str.strip at both ends.
std::string_view StripSpace(std::string_view text);

}  // namespace assay
