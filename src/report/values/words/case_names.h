// What a case is called where people read: by its id, and beside an id that was made of its text by the first
// words of its question.
#pragma once

#include <string>
#include <string_view>

namespace assay {

struct Case;

// "hash-4711abcd0815": nobody named the case.
bool IsMadeId(std::string_view id);
// The first words of its question.
std::string TitleOfCase(const Case& the_case);
// "capital"; "hash-4711abcd0815: What is the capital of France?"
std::string SpokenCase(const Case& the_case);

}  // namespace assay
