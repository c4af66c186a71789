// Reads addresses as libpq does: what stands before the last '@' is who asks, and parameters follow the '?'.
#include "store/location.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "base/text/ascii.h"
#include "base/text/shell_words.h"
#include "store/server_tables.h"

namespace assay {

namespace {

constexpr std::string_view kSchemeEnd = "://";
// What stands around an address that somebody has quoted twice, and between keywords.
constexpr std::string_view kAround = " \t\r\n\"'`;";

std::string_view TrimmedFront(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kAround), text.size()));
}

bool IsSchemeName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return IsAsciiLetter(c) || IsAsciiDigit(c) || c == '+' || c == '-' || c == '.';
  });
}

bool IsKnown(std::string_view scheme) { return scheme == "postgresql" || scheme == "postgres"; }

// "password=x", also behind another parameter that a wrong separator runs into it.
bool IsSecretParameter(std::string_view parameter) {
  const std::string small = AsciiLower(parameter);
  // A name in percent signs is nobody's but who hides it.
  return small.find('%') < small.find('=') || small.find("password=") != std::string::npos;
}

// Of an address of no kind that is known here nobody knows where the password is.
std::string ShownUnknown(std::string_view scheme) {
  const std::string_view name = TrimmedFront(scheme);
  return fmt::format("{}://…", IsSchemeName(name) ? name : "…");
}

struct Parameter {
  std::size_t at = 0;    // of the character before it
  std::size_t size = 0;  // with that; 0: there is none
  std::string_view value = {};
};

// The one that libpq does not know.
Parameter SchemaParameter(std::string_view location) {
  constexpr std::string_view kName = "schema=";
  const std::size_t from = location.rfind('@') == std::string_view::npos ? 0 : location.rfind('@');
  std::size_t at = location.find('?', from);
  while (at < location.size()) {
    const std::size_t end = std::min(location.find('&', at + 1), location.size());
    const std::string_view parameter = location.substr(at + 1, end - at - 1);
    if (parameter.starts_with(kName))
      return {.at = at, .size = end - at, .value = parameter.substr(kName.size())};
    at = end;
  }
  return {};
}

// Where the user's name ends: before his password.
std::size_t EndOfUser(std::string_view rest) {
  const std::string small = AsciiLower(rest);
  return std::min(small.find(':'), small.find("%3a"));
}

// "postgresql:u@h", and "postgresql+driver:/u@h" where a user is named.
bool LacksSlashes(std::string_view small) {
  const std::size_t end =
      std::min(small.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789+-."), small.size());
  const std::string_view name = small.substr(0, end);
  const std::string_view rest = small.substr(end);
  if (!name.starts_with("postgres") || !(rest.starts_with(':') || rest.starts_with("//"))) return false;
  return IsKnown(name) || rest.find('@') != std::string_view::npos;
}

SlowServerTeller tells_of_slow_servers = nullptr;

}  // namespace

void TellOfSlowServers(SlowServerTeller tell) { tells_of_slow_servers = tell; }
SlowServerTeller WhoTellsOfSlowServers() { return tells_of_slow_servers; }

bool IsServer(std::string_view location) { return location.find(kSchemeEnd) != std::string_view::npos; }

bool IsKeywordString(std::string_view location) {
  constexpr std::string_view kFirst[] = {"host",     "hostaddr", "port",    "dbname",  "user",
                                         "password", "passfile", "service", "sslmode", "sslpassword"};
  if (IsServer(location)) return false;
  const std::string small = AsciiLower(location);
  // An address without its "://" is no name of a file either.
  if (LacksSlashes(TrimmedFront(small))) return true;
  std::string_view rest = small;
  // Keywords of any order, blanks around "=" or none.
  for (;;) {
    rest = TrimmedFront(rest);
    if (rest.empty()) return false;
    const std::size_t end = std::min(std::min(rest.find_first_of(kAround), rest.find('=')), rest.size());
    const std::string_view word = rest.substr(0, end);
    const std::size_t next = rest.find_first_not_of(" \t\n", end);
    const bool is_key = next != std::string_view::npos && rest[next] == '=';
    if (is_key && std::find(std::begin(kFirst), std::end(kFirst), word) != std::end(kFirst)) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

Status CheckLocation(std::string_view location) {
  if (IsKeywordString(location)) {
    return Error{
        ErrorCode::kInvalidInput,
        "expected a file or an address, found keywords of a connection (host=…), or an address without its "
        "://; write postgresql://USER@HOST:PORT/DATABASE, and leave the password to PGPASSWORD or ~/.pgpass"};
  }
  if (!IsServer(location)) return Ok();
  const std::string_view scheme = location.substr(0, location.find(kSchemeEnd));
  if (IsKnown(scheme)) return Ok();
  if (IsKnown(AsciiLower(TrimmedFront(scheme)))) {
    return Error{ErrorCode::kInvalidInput,
                 "expected a file or an address, found an address with spaces, quotes or capitals at its "
                 "beginning; it begins with postgresql://"};
  }
  return Error{ErrorCode::kUnsupported,
               fmt::format("{}: this assay has no stores of that kind; name a file by its path alone, or a "
                           "server as postgresql://USER@HOST:PORT/DATABASE",
                           ShownUnknown(scheme))};
}

std::string ShownLocation(std::string_view location) {
  if (IsKeywordString(location)) return "(keywords of a connection)";
  if (!IsServer(location)) return std::string(location);
  const std::size_t end_of_scheme = location.find(kSchemeEnd);
  const std::string_view scheme = location.substr(0, end_of_scheme);
  if (!IsKnown(AsciiLower(scheme))) return ShownUnknown(scheme);
  std::string shown(location.substr(0, end_of_scheme + kSchemeEnd.size()));
  std::string_view rest = location.substr(shown.size());
  // A password may hold any character, a '?' too.
  if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
    shown += rest.substr(0, std::min(EndOfUser(rest), at));
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

Result<std::string> SchemaOf(std::string_view location) {
  if (!IsServer(location)) return std::string();
  const std::string_view value = SchemaParameter(location).value;
  constexpr std::size_t kBytesMax = 63;  // of a server's names
  constexpr std::string_view kTaken = "abcdefghijklmnopqrstuvwxyz0123456789_";
  if (value.size() <= kBytesMax && value.find_first_not_of(kTaken) == std::string_view::npos &&
      (value.empty() || !IsAsciiDigit(value.front())) && !value.starts_with("pg_"))
    return std::string(value);
  return Error{ErrorCode::kInvalidInput,
               fmt::format("{}: expected a schema of small letters, digits and _ behind schema=, and no pg_ "
                           "at its beginning",
                           ShownLocation(location))};
}

std::string WithoutSchema(std::string_view location) {
  const Parameter schema = SchemaParameter(location);
  std::string left(location);
  if (schema.size == 0) return left;
  left.erase(schema.at, schema.size);
  // What follows the first parameter is the first one now.
  if (location[schema.at] == '?' && schema.at < left.size()) left[schema.at] = '?';
  return left;
}

bool HasPassword(std::string_view location) { return ShownLocation(location) != location; }

}  // namespace assay
