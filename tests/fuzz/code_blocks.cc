// Any bytes as an answer, in every language: code without fences left in it, never longer than the answer and
// what its language adds; the same of programs.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/errors/assert.h"
#include "checks/code/code_blocks.h"
#include "tests/fuzz/target.h"

namespace {

std::size_t CountFences(std::string_view text) {
  std::size_t count = 0;
  for (const std::string_view mark : {"```", "\\begin{code}", "\\end{code}"}) {
    for (std::size_t at = text.find(mark); at != std::string_view::npos;
         at = text.find(mark, at + mark.size()))
      ++count;
  }
  return count;
}

}  // namespace

FUZZ_TARGET(code_blocks)(const std::uint8_t* data, std::size_t size) {
  const std::string_view answer(reinterpret_cast<const char*>(data), size);
  const std::string text = "\n" + std::string(answer);
  const bool has_fences = CountFences(text) >= 2;
  for (const assay::LanguageRow* language : assay::LanguageTable()) {
    for (const auto which : {assay::FencedCode::kAll, assay::FencedCode::kOnlyLongest,
                             assay::FencedCode::kOfLanguage, assay::FencedCode::kLongestOfLanguage}) {
      const std::string code = assay::ExtractCode(*language, text, which);
      ASSAY_ASSERT(!has_fences || CountFences(code) == 0);
      ASSAY_ASSERT(code.size() <= text.size() + 2);
      const std::string program = language->assemble("", "\n" + code);
      ASSAY_ASSERT(program.size() <= code.size() + 1'000);
    }
  }
  const std::string_view stripped = assay::StripSpace(answer);
  ASSAY_ASSERT(assay::StripSpace(stripped) == stripped);
  return 0;
}
