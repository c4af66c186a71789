// Comparison with approved files. Tests run in the root of the checkout.
#include "tests/support/approved.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace assay::testing {
namespace {

std::string FirstDifference(const std::string& want, const std::string& got) {
  std::istringstream want_lines(want);
  std::istringstream got_lines(got);
  std::string a, b;
  for (int number = 1;; ++number) {
    const bool has_a = static_cast<bool>(std::getline(want_lines, a));
    const bool has_b = static_cast<bool>(std::getline(got_lines, b));
    if (!has_a && !has_b) return "they differ in the last line break only";
    if (has_a != has_b || a != b) {
      return "line " + std::to_string(number) + "\n  approved: " + (has_a ? a.substr(0, 400) : "(end)") +
             "\n  received: " + (has_b ? b.substr(0, 400) : "(end)");
    }
  }
}

}  // namespace

std::string CompareApproved(std::string_view name, std::string_view text) {
  const std::filesystem::path approved = "tests/golden/" + std::string(name) + ".approved";
  std::ifstream file(approved, std::ios::binary);
  const std::string want{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file && want == text) return "";
  const std::filesystem::path received = "build/received/" + std::string(name);
  std::filesystem::create_directories(received.parent_path());
  std::ofstream(received, std::ios::binary) << text;
  if (!file)
    return approved.string() + " is missing; look at " + received.string() + ", then run tools/approve";
  return approved.string() + " and " + received.string() +
         " differ: " + FirstDifference(want, std::string(text)) +
         "\nrun tools/approve if the new one is right";
}

}  // namespace assay::testing
