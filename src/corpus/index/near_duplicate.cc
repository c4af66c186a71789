// Computes the similarity ratio of difflib by finding longest shared runs recursively, with a limit on the
// work.
#include "corpus/index/near_duplicate.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/text/utf8.h"
#include "corpus/limits.h"

namespace assay {

namespace {

constexpr std::size_t kFrequentFrom = 200;  // code points of `b` from which frequent ones begin no run

struct Stretch {
  std::size_t a_begin, a_end, b_begin, b_end;
};
struct Run {
  std::size_t a = 0, b = 0, size = 0;
};

// So many code points of it may be shared at most.
std::size_t Room(const Stretch& in) { return std::min(in.a_end - in.a_begin, in.b_end - in.b_begin); }

double RatioOf(std::size_t shared, std::size_t lengths) {
  return lengths == 0 ? 1.0 : 2.0 * static_cast<double>(shared) / static_cast<double>(lengths);
}

// The least number of shared code points whose ratio is at least `least`.
std::size_t SharedFor(double least, std::size_t lengths) {
  auto shared = static_cast<std::size_t>(least * static_cast<double>(lengths) / 2);
  while (shared > 0 && RatioOf(shared - 1, lengths) >= least) --shared;
  while (shared <= lengths && RatioOf(shared, lengths) < least) ++shared;
  return shared;
}

class Matcher {
 public:
  Matcher(const std::u32string& a, const std::u32string& b, std::size_t steps_max)
      : a_(a), b_(b), steps_max_(steps_max), ended_(b.size() + 1), ending_(b.size() + 1) {
    for (std::size_t j = 0; j < b.size(); ++j) places_[b[j]].push_back(static_cast<std::uint32_t>(j));
    if (b.size() < kFrequentFrom) return;
    const std::size_t most = b.size() / 100 + 1;
    std::erase_if(places_, [most](const auto& entry) { return entry.second.size() > most; });
  }

  // Code points in shared runs; where only `wanted` is asked for, a number on the same side of it. Nothing if
  // there were too many steps.
  std::optional<std::size_t> Shared(std::optional<std::size_t> wanted = {}) {
    std::size_t shared = 0;
    std::vector<Stretch> open = {{0, a_.size(), 0, b_.size()}};
    std::size_t possible = Room(open.back());  // what can still become of `shared`
    while (!open.empty() && !(wanted && (shared >= *wanted || possible < *wanted))) {
      const Stretch stretch = open.back();
      open.pop_back();
      const Run run = LongestRun(stretch);
      if (steps_ > steps_max_) return std::nullopt;
      possible -= Room(stretch);
      if (run.size == 0) continue;
      shared += run.size;
      possible += run.size;
      const std::size_t parts = open.size();
      if (stretch.a_begin < run.a && stretch.b_begin < run.b)
        open.push_back({stretch.a_begin, run.a, stretch.b_begin, run.b});
      if (run.a + run.size < stretch.a_end && run.b + run.size < stretch.b_end)
        open.push_back({run.a + run.size, stretch.a_end, run.b + run.size, stretch.b_end});
      for (std::size_t i = parts; i < open.size(); ++i) possible += Room(open[i]);
    }
    return shared;
  }

  std::size_t steps() const { return std::min(steps_, steps_max_); }

 private:
  // ended_[j + 1]: the length of the run that ends at the last character of `a` looked at and at b[j].
  Run LongestRun(const Stretch& in) {
    Run best{in.a_begin, in.b_begin, 0};
    for (std::size_t i = in.a_begin; i < in.a_end && steps_ <= steps_max_; ++i) {
      ++steps_;
      touched_now_.clear();
      if (const auto found = places_.find(a_[i]); found != places_.end()) {
        const std::vector<std::uint32_t>& places = found->second;
        auto place = std::lower_bound(places.begin(), places.end(), in.b_begin);
        for (; place != places.end() && *place < in.b_end; ++place) {
          ++steps_;
          const std::size_t j = *place;
          const std::uint32_t length = ended_[j] + 1;
          ending_[j + 1] = length;
          touched_now_.push_back(j + 1);
          if (length > best.size) best = {i + 1 - length, j + 1 - length, length};
        }
      }
      for (const std::size_t j : touched_) ended_[j] = 0;
      ended_.swap(ending_);
      touched_.swap(touched_now_);
    }
    for (const std::size_t j : touched_) ended_[j] = 0;
    touched_.clear();
    return Widened(best, in);
  }

  // Runs grow over frequent characters, which cannot begin one.
  Run Widened(Run run, const Stretch& in) {
    while (run.a > in.a_begin && run.b > in.b_begin && a_[run.a - 1] == b_[run.b - 1]) {
      --run.a;
      --run.b;
      ++run.size;
      ++steps_;
    }
    while (run.a + run.size < in.a_end && run.b + run.size < in.b_end &&
           a_[run.a + run.size] == b_[run.b + run.size]) {
      ++run.size;
      ++steps_;
    }
    return run;
  }

  const std::u32string& a_;
  const std::u32string& b_;
  const std::size_t steps_max_;
  std::size_t steps_ = 0;
  std::unordered_map<char32_t, std::vector<std::uint32_t>> places_;
  std::vector<std::uint32_t> ended_;
  std::vector<std::uint32_t> ending_;
  std::vector<std::size_t> touched_;
  std::vector<std::size_t> touched_now_;
};

// What the ratio cannot exceed: characters shared in any order.
double RatioBound(const std::u32string& a, const std::u32string& b) {
  std::unordered_map<char32_t, std::int64_t> left;
  for (const char32_t c : b) ++left[c];
  std::size_t shared = 0;
  for (const char32_t c : a) {
    const auto found = left.find(c);
    if (found != left.end() && found->second-- > 0) ++shared;
  }
  return RatioOf(shared, a.size() + b.size());
}

}  // namespace

std::optional<double> SequenceRatio(std::string_view a_text, std::string_view b_text) {
  const std::u32string a = ToUtf32(a_text);
  const std::u32string b = ToUtf32(b_text);
  const std::optional<std::size_t> shared = Matcher(a, b, limits::kComparedStepsMax).Shared();
  if (!shared) return std::nullopt;
  return RatioOf(*shared, a.size() + b.size());
}

bool IsNearDuplicate(std::string_view a_text, std::string_view b_text, double least,
                     std::size_t& steps_left) {
  if (a_text == b_text) return true;
  const std::u32string a = ToUtf32(a_text);
  const std::u32string b = ToUtf32(b_text);
  const std::size_t lengths = a.size() + b.size();
  if (RatioOf(std::min(a.size(), b.size()), lengths) < least || RatioBound(a, b) < least) return false;
  Matcher matcher(a, b, steps_left);
  const std::optional<std::size_t> shared = matcher.Shared(SharedFor(least, lengths));
  steps_left -= matcher.steps();
  return shared && RatioOf(*shared, lengths) >= least;
}

}  // namespace assay
