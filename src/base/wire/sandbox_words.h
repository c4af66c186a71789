// The words that ProcessReply::sandbox has behind the level's name, for those who read them again.
#pragma once

#include <string_view>

namespace assay {

// Before what a program that failed had asked for and the level refuses: "landlock, refused sockets of its
// own".
inline constexpr std::string_view kSandboxRefused = ", refused ";

// Before how long a program that was ready had no processor, because others had them: "ns, waited 4.1 s for
// processors". Where it is not told, that was less than a tenth of a second.
inline constexpr std::string_view kSandboxWaited = ", waited ";
// The limit (ProcessReply::limit) of a program that waited for processors so long that nothing is known of
// it.
inline constexpr std::string_view kWaitLimit = "waiting for processors";

// What was refused to it; "" if nothing was. `sandbox`: of a ProcessReply.
constexpr std::string_view RefusedBySandbox(std::string_view sandbox) {
  const std::size_t at = sandbox.find(kSandboxRefused);
  return at == std::string_view::npos ? std::string_view() : sandbox.substr(at + kSandboxRefused.size());
}

}  // namespace assay
