// The lists that stored replies, scores and summaries have in common: token counts are [input, output,
// reasoning, cached read, cached written], without the last two where no cache was used, and of several roles
// [[role, counts...]...]; a call is [id, name, arguments, seal?]; who answered is [asked, model, whether they
// are two, fingerprint, via].
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "spec/exchange/request.h"
#include "text/json/record.h"

namespace assay {

// What is no number is 0. False: below 0, or more than `most`; cut to it.
template <class T>
struct TokenCount {
  T& value;
  double most;
  bool IsUsual() const { return value <= 0; }
  void Append(std::string& out) const { record::AppendReal(static_cast<double>(value), out); }
  bool Read(const Value& read) const {
    const double count = read.is_number() && !std::isnan(read.AsNumber()) ? read.AsNumber() : 0;
    value = static_cast<std::int64_t>(std::clamp(count, 0.0, most));
    return count >= 0 && count <= most;
  }
};

inline constexpr double kStoredTokensMax = 1e12;

template <class Usage, class Visitor>
void VisitTokens(Usage& usage, Visitor&& visit, double most = kStoredTokensMax) {
  visit.Needed(TokenCount{usage.input_tokens, most}, TokenCount{usage.output_tokens, most},
               TokenCount{usage.reasoning_tokens, most});
  visit(TokenCount{usage.cached_read_tokens, most}, TokenCount{usage.cached_write_tokens, most});
}

namespace record {

template <>
struct PlacesOf<Usage> {
  template <class Usage, class Visitor>
  static void Visit(Usage& usage, Visitor&& visit) {
    VisitTokens(usage, visit);
  }
};

}  // namespace record

struct UsageOfRole {
  RequestRole role = RequestRole::kCandidate;
  Usage usage = {.known = true};
};

namespace record {

template <>
struct PlacesOf<UsageOfRole> {
  template <class Part, class Visitor>
  static void Visit(Part& part, Visitor&& visit) {
    visit.Needed(Whole{part.role, static_cast<double>(kLastRequestRole)});
    VisitTokens(part.usage, visit);
  }
};

}  // namespace record

// A store may be somebody else's work: counts are cut, and false is an unknown role.
template <class T>
struct UsageParts {
  T& value;
  bool IsUsual() const { return value.empty(); }
  void Append(std::string& out) const {
    out += '[';
    for (const auto& [role, usage] : value.parts()) {
      if (out.back() != '[') out += ',';
      record::AppendPlaces(UsageOfRole{role, usage}, out);
    }
    out += ']';
  }
  bool Read(const Value& read) const {
    if (!read.is_list()) return false;
    for (const Value& each : read.AsList()) {
      if (!each.is_list() || each.AsList().empty()) return false;
      UsageOfRole part;
      if (!record::Whole{part.role, static_cast<double>(kLastRequestRole)}.Read(each.AsList()[0]))
        return false;
      static_cast<void>(record::ReadPlaces(each, part));
      value.Add(part.role, part.usage);
    }
    return true;
  }
};

namespace record {

template <>
struct PlacesOf<ServedBy> {
  template <class Served, class Visitor>
  static void Visit(Served& served, Visitor&& visit) {
    visit.Needed(Text{served.asked}, Text{served.model}, Flag{served.is_other}, Text{served.fingerprint},
                 Text{served.via});
  }
};

template <>
struct PlacesOf<ToolCall> {
  template <class Call, class Visitor>
  static void Visit(Call& call, Visitor&& visit) {
    visit.Needed(Text{call.id}, Text{call.name}, Text{call.arguments});
    visit(Text{call.seal});
  }
};

}  // namespace record

}  // namespace assay
