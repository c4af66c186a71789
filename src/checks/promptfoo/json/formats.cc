// A row for each format: a function of a text, or of a number.
#include "checks/promptfoo/json/formats.h"

#include <cmath>
#include <optional>
#include <string>

#include "base/text/ascii.h"
#include "text/javascript/regex.h"

namespace assay::promptfoo {
namespace {

bool Matches(std::string_view pattern, std::string_view text,
             JsRegexFlags flags = JsRegexFlags::kIgnoreCase) {
  const auto compiled = JsRegex::Compile(pattern, flags);
  if (!compiled) return false;
  RegexSubject subject(text);
  return (*compiled)->Search(subject).value_or(false);
}

// The number in the next `count` digits; nothing if one of these characters is no digit.
std::optional<int> Digits(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return std::nullopt;
  int number = 0;
  for (const char c : text.substr(at, count)) {
    if (!IsAsciiDigit(c)) return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number;
}

bool IsLeapYear(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

bool IsDay(std::string_view text) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const auto year = Digits(text, 0, 4);
  const auto month = Digits(text, 5, 2);
  const auto day = Digits(text, 8, 2);
  if (text.size() != 10 || text[4] != '-' || text[7] != '-' || !year || !month || !day) return false;
  if (*month < 1 || *month > 12 || *day < 1) return false;
  const int last = *month == 2 && IsLeapYear(*year) ? 29 : kDays[*month - 1];
  return *day <= last;
}

// "+01:00", "-0100", "+01"; false for another.
bool ReadZone(std::string_view zone, int& minutes) {
  const auto hours = Digits(zone, 1, 2);
  const bool has_colon = zone.size() > 3 && zone[3] == ':';
  const auto more = zone.size() > 3 ? Digits(zone, has_colon ? 4 : 3, 2) : std::optional<int>(0);
  const std::size_t size = zone.size() > 3 ? (has_colon ? 6 : 5) : 3;
  if (!hours || !more || zone.size() != size || *hours > 23 || *more > 59) return false;
  minutes = (*hours * 60 + *more) * (zone[0] == '-' ? -1 : 1);
  return true;
}

bool IsTimeOfDay(std::string_view text, bool needs_zone) {
  const auto hour = Digits(text, 0, 2);
  const auto minute = Digits(text, 3, 2);
  const auto second = Digits(text, 6, 2);
  if (!hour || !minute || !second || text[2] != ':' || text[5] != ':') return false;
  std::size_t at = 8;
  if (at < text.size() && text[at] == '.') {
    const std::size_t digits = at + 1;
    at = std::min(text.find_first_not_of("0123456789", digits), text.size());
    if (at == digits) return false;
  }
  int zone = 0;
  const std::string_view rest = text.substr(at);
  if (rest.empty()) {
    if (needs_zone) return false;
  } else if (rest == "z" || rest == "Z") {
    zone = 0;
  } else if ((rest[0] != '+' && rest[0] != '-') || !ReadZone(rest, zone)) {
    return false;
  }
  if (*hour <= 23 && *minute <= 59 && *second <= 59) return true;
  // A leap second, at 23:59:60 of UTC.
  const int of_day = ((*hour * 60 + *minute - zone) % 1440 + 1440) % 1440;
  return *hour <= 23 && *minute <= 59 && *second == 60 && of_day == 1439;
}

bool IsMoment(std::string_view text, bool needs_zone) {
  constexpr std::size_t kDayBytes = 10;
  if (text.size() <= kDayBytes) return false;
  const char mark = text[kDayBytes];
  if (mark != 'T' && mark != 't' && mark != ' ') return false;
  return IsDay(text.substr(0, kDayBytes)) && IsTimeOfDay(text.substr(kDayBytes + 1), needs_zone);
}

bool IsZonedTime(std::string_view text) { return IsTimeOfDay(text, true); }
bool IsAnyTime(std::string_view text) { return IsTimeOfDay(text, false); }
bool IsZonedMoment(std::string_view text) { return IsMoment(text, true); }
bool IsAnyMoment(std::string_view text) { return IsMoment(text, false); }

bool IsDuration(std::string_view text) {
  return Matches(R"(^P(?!$)(?:(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?|\d+W)$)",
                 text, JsRegexFlags::kNone);
}

bool IsEmail(std::string_view text) {
  return Matches(
      R"(^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+)"
      R"([a-z\d](?:[a-z\d-]*[a-z\d])?$)",
      text);
}

bool IsHostName(std::string_view text) {
  constexpr std::size_t kBytesMax = 253;
  return text.size() <= kBytesMax + 1 && Matches(R"(^(?=.{1,253}\.?$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)"
                                                 R"((?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*\.?$)",
                                                 text);
}

bool IsIpv4(std::string_view text) {
  return Matches(R"(^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$)", text);
}

// Groups of up to four hexadecimal digits, one run of them perhaps left out, the last two perhaps as IPv4.
bool IsIpv6(std::string_view text) {
  constexpr int kGroups = 8;
  std::string address(text);
  const std::size_t last = address.rfind(':');
  if (last != std::string::npos && address.find('.', last) != std::string::npos) {
    if (!IsIpv4(std::string_view(address).substr(last + 1))) return false;
    address.replace(last + 1, std::string::npos, "0:0");
  }
  const std::size_t gap = address.find("::");
  if (gap != std::string::npos && address.find("::", gap + 1) != std::string::npos) return false;
  if (!Matches(R"(^(?:[\da-f]{1,4}|::?)+$)", address) || !Matches("^(?!:[^:]).*(?:[^:]|::)$", address))
    return false;
  int groups = 0;
  for (std::size_t at = 0; at < address.size();) {
    const std::size_t end = std::min(address.find(':', at), address.size());
    if (end > at) ++groups;
    if (end - at > 4) return false;
    at = end + 1;
  }
  return gap == std::string::npos ? groups == kGroups : groups < kGroups;
}

bool IsUriReference(std::string_view text) {
  return Matches(R"(^(?:[a-z\d._~:/?#\[\]@!$&'()*+,;=-]|%[\da-f]{2})*$)", text);
}
bool IsUri(std::string_view text) { return Matches("^[a-z][a-z\\d+.-]*:", text) && IsUriReference(text); }
bool IsUrl(std::string_view text) {
  return Matches(R"(^(?:https?|ftp)://(?:\S+(?::\S*)?@)?[^\s/?#:]+\.?[^\s/?#:]*(?::\d{2,5})?(?:[/?#]\S*)?$)",
                 text);
}
bool IsUriTemplate(std::string_view text) {
  return Matches(R"(^(?:[^\s"'<>\\^`{|}]|\{[+#./;?&=,!@|]?[\w%.]+(?::\d+|\*)?(?:,[\w%.]+(?::\d+|\*)?)*\})*$)",
                 text);
}
bool IsUuid(std::string_view text) {
  return Matches(R"(^(?:urn:uuid:)?[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$)", text);
}
bool IsPointer(std::string_view text) { return Matches("^(?:/(?:[^~/]|~0|~1)*)*$", text); }
bool IsPointerFragment(std::string_view text) {
  return Matches(R"(^#(?:/(?:[a-z\d_\-.!$&'()*+,;:=@]|%[\da-f]{2}|~0|~1)*)*$)", text);
}
bool IsRelativePointer(std::string_view text) {
  return Matches("^(?:0|[1-9]\\d*)(?:#|(?:/(?:[^~/]|~0|~1)*)*)$", text);
}
bool IsPattern(std::string_view text) {
  if (text.find("\\Z") != std::string_view::npos) return false;
  return JsRegex::Compile(text, JsRegexFlags::kUnicode).has_value();
}
bool IsBase64(std::string_view text) {
  return Matches("^(?:[a-z\\d+/]{4})*(?:[a-z\\d+/]{2}==|[a-z\\d+/]{3}=)?$", text);
}
bool IsAnyText(std::string_view) { return true; }

bool IsInt32(double number) {
  return std::floor(number) == number && number >= -2147483648.0 && number <= 2147483647.0;
}
bool IsWhole(double number) { return std::floor(number) == number; }
bool IsAnyNumber(double) { return true; }

struct FormatRow {
  std::string_view name;
  bool (*text)(std::string_view text) = nullptr;
  bool (*number)(double number) = nullptr;
};
constexpr FormatRow kFormats[] = {
    {"date", IsDay},
    {"time", IsZonedTime},
    {"date-time", IsZonedMoment},
    {"iso-time", IsAnyTime},
    {"iso-date-time", IsAnyMoment},
    {"duration", IsDuration},
    {"uri", IsUri},
    {"uri-reference", IsUriReference},
    {"uri-template", IsUriTemplate},
    {"url", IsUrl},
    {"email", IsEmail},
    {"hostname", IsHostName},
    {"ipv4", IsIpv4},
    {"ipv6", IsIpv6},
    {"regex", IsPattern},
    {"uuid", IsUuid},
    {"json-pointer", IsPointer},
    {"json-pointer-uri-fragment", IsPointerFragment},
    {"relative-json-pointer", IsRelativePointer},
    {"byte", IsBase64},
    {"password", IsAnyText},
    {"binary", IsAnyText},
    {"int32", nullptr, IsInt32},
    {"int64", nullptr, IsWhole},
    {"float", nullptr, IsAnyNumber},
    {"double", nullptr, IsAnyNumber},
};

const FormatRow* FindFormat(std::string_view name) {
  for (const FormatRow& row : kFormats) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace

bool IsKnownFormat(std::string_view format) { return FindFormat(format) != nullptr; }

bool FitsFormat(std::string_view format, const Value& value) {
  const FormatRow* row = FindFormat(format);
  if (row == nullptr) return true;
  if (row->text != nullptr && value.is_string()) return row->text(value.AsString());
  if (row->number != nullptr && value.is_number()) return row->number(value.AsNumber());
  return true;
}

}  // namespace assay::promptfoo
