// Findings: the slowest calls of a run and its failures grouped by message, for the messages at its end.
// Bounded in size.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "run/limits/pace/stream_pace.h"
#include "spec/exchange/exchange.h"

namespace assay {

struct SlowCall {
  std::int64_t duration_ms = 0;
  std::string what;  // "answer of openai:gpt-4o to case capital-of-france"
  std::uint32_t tries = 1;
};

// Calls that failed for good in the same words.
struct FailureGroup {
  std::string model;
  std::string message;
  std::string first_case;
  std::uint64_t calls = 0;
};

// Why a request failed for good; nothing: the exchange answers it.
std::optional<Error> FailureOf(const Exchange& exchange);

class Findings {
 public:
  static constexpr std::size_t kSlowestMax = 5;
  static constexpr std::size_t kFailureGroupsMax = 50;

  // Whether a call that took so long would be among the slowest: only then its words need to be made.
  bool IsSlow(std::int64_t duration_ms) const;
  void AddSlow(SlowCall call);
  void AddFailure(const std::string& model, const std::string& message, const std::string& case_id);

  void AddStream(const std::string& model, std::chrono::microseconds first, std::chrono::microseconds whole,
                 const ModelReply& reply) {
    streams_[model].Add(first, whole, reply);
  }
  void AddNote(std::string note) { notes_.push_back(std::move(note)); }
  // A note is made once, with `more` behind it.
  void AddNoteOnce(const std::string& note, std::string_view more = {}) {
    if (noted_.insert(note).second) AddNote(note + std::string(more));
  }

  const std::vector<std::string>& notes() const { return notes_; }   // whatever else is worth a line
  const std::vector<SlowCall>& slowest() const { return slowest_; }  // slowest first
  // Most frequent first.
  std::vector<FailureGroup> Failures() const;
  const std::map<std::string, StreamPace>& streams() const { return streams_; }  // by model
  std::uint64_t failures_left_out() const { return left_out_; }                  // of groups beyond the bound

 private:
  std::vector<std::string> notes_;  // a few for each model
  std::set<std::string> noted_;     // of AddNoteOnce
  std::vector<SlowCall> slowest_;
  std::map<std::pair<std::string, std::string>, FailureGroup> failures_;
  std::map<std::string, StreamPace> streams_;
  std::uint64_t left_out_ = 0;
};

}  // namespace assay
