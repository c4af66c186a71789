// Any Python pattern on any text: compile, search and match all of it. Input: the pattern, a zero byte, the
// text.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/errors/assert.h"
#include "tests/fuzz/target.h"
#include "text/cpu_budget.h"
#include "text/python/regex.h"

FUZZ_TARGET(python_regex)(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view pattern = input.substr(0, input.find('\0'));
  const std::string_view text = input.substr(std::min(pattern.size() + 1, input.size()));
  const auto regex = assay::PythonRegex::Compile(pattern);
  if (!regex) {
    ASSAY_ASSERT(!regex.error().message.empty());
    return 0;
  }
  assay::CpuBudget budget(std::chrono::milliseconds(200));
  const auto search = (*regex)->Search(text, budget);
  const auto whole = (*regex)->FullMatch(text);
  // What matches the whole text is found in it.
  ASSAY_ASSERT(!search || !whole || *search || !*whole);
  return 0;
}
