// Reads addresses as libpq does: what stands before the last '@' is who asks, and parameters follow the '?'.
#include "store/location.h"

#include <algorithm>
#include <filesystem>

#include "base/text/ascii.h"
#include "base/text/shell_words.h"

namespace assay {

namespace {

constexpr std::string_view kSecretParameters[] = {"password", "sslpassword"};

bool IsSecretParameter(std::string_view parameter) {
  const std::string name = AsciiLower(parameter.substr(0, parameter.find('=')));
  // A name in percent signs is nobody's but who hides it.
  return name.find('%') != std::string_view::npos ||
         std::find(std::begin(kSecretParameters), std::end(kSecretParameters), name) !=
             std::end(kSecretParameters);
}

}  // namespace

std::string_view StoreScheme(std::string_view location) {
  const std::size_t end = location.find("://");
  if (end == std::string_view::npos) return {};
  const std::string_view name = location.substr(0, end);
  const bool is_name = std::all_of(name.begin(), name.end(), [](char c) { return IsAsciiLetter(c); });
  return is_name ? name : std::string_view();
}

bool IsKeywordString(std::string_view location) {
  constexpr std::string_view kFirst[] = {"host",     "hostaddr", "port",    "dbname",  "user",
                                         "password", "passfile", "service", "sslmode", "sslpassword"};
  if (IsServer(location)) return false;
  const std::string small = AsciiLower(location);
  // An address without its "://" is no name of a file either.
  for (const std::string_view begin : {"postgres:", "postgresql:", "postgres//", "postgresql//"})
    if (small.starts_with(begin)) return true;
  std::string_view rest = small;
  // Keywords of any order, blanks around "=" or none.
  for (;;) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\n"), rest.size()));
    if (rest.empty()) return false;
    const std::size_t end = std::min(rest.find_first_of(" \t\n="), rest.size());
    const std::string_view word = rest.substr(0, end);
    const std::size_t next = rest.find_first_not_of(" \t\n", end);
    const bool is_key = next != std::string_view::npos && rest[next] == '=';
    if (is_key && std::find(std::begin(kFirst), std::end(kFirst), word) != std::end(kFirst)) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

Error KeywordStringError() {
  return {ErrorCode::kInvalidInput,
          "expected a file or an address, found keywords of a connection (host=…), or an address without its "
          "://; write "
          "postgresql://USER@HOST:PORT/DATABASE, and leave the password to PGPASSWORD or ~/.pgpass"};
}

std::string ShownLocation(std::string_view location) {
  if (IsKeywordString(location)) return "(keywords of a connection)";
  const std::string_view scheme = StoreScheme(location);
  if (scheme.empty()) return std::string(location);
  std::string_view rest = location.substr(scheme.size() + 3);
  std::string shown(location.substr(0, scheme.size() + 3));
  // A password may hold any character, a '?' too.
  if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
    shown += rest.substr(0, std::min(rest.find(':'), at));
    rest.remove_prefix(at);
  }
  const std::size_t question = std::min(rest.find('?'), rest.size());
  shown += rest.substr(0, question);
  rest.remove_prefix(question);
  char before = '?';
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::size_t end = std::min(rest.find('&'), rest.size());
    if (!IsSecretParameter(rest.substr(0, end))) {
      shown += before;
      shown += rest.substr(0, end);
      before = '&';
    }
    rest.remove_prefix(end);
  }
  return shown;
}

std::string StoreOption(std::string_view location) {
  return IsServer(location) ? " --store " + QuoteWord(ShownLocation(location)) : std::string();
}

bool MayBeThere(const std::string& location) {
  std::error_code unseen;
  return IsServer(location) || std::filesystem::exists(location, unseen);
}

bool HasPassword(std::string_view location) { return ShownLocation(location) != location; }

}  // namespace assay
