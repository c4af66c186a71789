// Computes the digests by which powers are trusted, and finds which of a folder's powers the user has
// trusted.
#include "engine/grants/powers.h"

#include <algorithm>

#include "base/hash.h"
#include "text/json/json.h"

namespace assay {

namespace {

constexpr std::size_t kDigits = 64;

std::string Line(const Power& power) {
  std::string line;
  AppendJsonString(power.setting, line);
  return line + "=" + power.value + "\n";
}

}  // namespace

std::string DigestOf(const Power& power) { return Hex(Sha256Of(Line(power))); }

std::string DigestOf(const std::vector<Power>& powers) {
  std::vector<std::string> lines;
  for (const Power& power : powers) lines.push_back(Line(power));
  std::sort(lines.begin(), lines.end());
  Sha256 digest;
  for (const std::string& line : lines) digest.Update(line);
  return Hex(digest.Finish());
}

bool IsPowersDigest(std::string_view text) {
  return text.size() == kDigits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::set<std::string, std::less<>> TrustedOf(const std::vector<Power>& powers, const TrustGiven& given) {
  const auto names = [&given](std::string_view digest) {
    return std::find(given.digests.begin(), given.digests.end(), digest) != given.digests.end();
  };
  const bool all = given.everything || names(DigestOf(powers));
  std::set<std::string, std::less<>> trusted;
  for (const Power& power : powers) {
    std::string digest = DigestOf(power);
    if (all || names(digest) || given.remembered.contains(digest)) trusted.insert(std::move(digest));
  }
  return trusted;
}

}  // namespace assay
