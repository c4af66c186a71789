// Grades `$edit_distance`: how many insertions, deletions and replacements of a character part the answer
// from a wanted text (Levenshtein). Pure; any thread.
//   args    {to, at_most, ignore, drop, trim}; `to` is a text or a list, of which the nearest counts; the
//           others as in `$equals`
//   score   with at_most: 1 up to so many, else 0; without: 1 - distance / length of the longer text, in
//           code points; 1 if both are empty
//   limits  a row of the table is a bit vector of the wanted text: linear in the answer
//   source  Myers 1999, Hyyrö 2003; known deviations: none
#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "base/text/utf8.h"
#include "checks/graders.h"
#include "checks/wanted/arguments.h"

namespace assay {
namespace {

constexpr std::size_t kWordBits = 64;

// A text that answers are compared with, prepared once: for each of its characters where it stands, a bit
// each.
class WantedLetters {
 public:
  explicit WantedLetters(std::string_view text) : size_(CountCodePoints(text)) {
    words_ = (size_ + kWordBits - 1) / kWordBits;
    std::size_t place = 0;
    for (std::size_t at = 0; at < text.size(); ++place) {
      const DecodedCodePoint next = DecodeUtf8(text, at);
      at += next.size_bytes;
      std::vector<std::uint64_t>& places = places_[next.code_point];
      places.resize(words_);
      places[place / kWordBits] |= std::uint64_t{1} << (place % kWordBits);
    }
  }

  std::size_t size() const { return size_; }

  std::size_t DistanceTo(std::u32string_view answer) const {
    if (size_ == 0) return answer.size();
    // Where the column's distance grows by one from a row to the next, and where it falls by one.
    std::vector<std::uint64_t> grows(words_, ~std::uint64_t{0});
    std::vector<std::uint64_t> falls(words_, 0);
    const std::vector<std::uint64_t> nowhere(words_, 0);
    const std::uint64_t last = std::uint64_t{1} << ((size_ - 1) % kWordBits);
    std::size_t distance = size_;
    for (const char32_t letter : answer) {
      const auto found = places_.find(letter);
      const std::vector<std::uint64_t>& places = found == places_.end() ? nowhere : found->second;
      std::uint64_t grown = 1;  // of the row above, and whether it fell
      std::uint64_t fallen = 0;
      for (std::size_t w = 0; w < words_; ++w) {
        const std::uint64_t up = grows[w];
        const std::uint64_t down = falls[w];
        const std::uint64_t here = places[w] | fallen;
        const std::uint64_t straight = ((((here & up) + up) ^ up) | here);
        std::uint64_t right = down | ~(straight | up);
        std::uint64_t left = up & straight;
        if (w + 1 == words_) {
          if ((right & last) != 0) ++distance;
          if ((left & last) != 0) --distance;
        }
        const std::uint64_t right_carry = right >> (kWordBits - 1);
        const std::uint64_t left_carry = left >> (kWordBits - 1);
        right = right << 1 | grown;
        left = left << 1 | fallen;
        const std::uint64_t with_match = places[w] | down;
        grows[w] = left | ~(with_match | right);
        falls[w] = right & with_match;
        grown = right_carry;
        fallen = left_carry;
      }
    }
    return distance;
  }

 private:
  std::size_t size_ = 0;
  std::size_t words_ = 0;
  std::unordered_map<char32_t, std::vector<std::uint64_t>> places_;
};

struct WantedDistance {
  std::vector<WantedLetters> to;
  std::optional<double> at_most;
  NormalRules rules;
  bool is_turned_around = false;
};

Result<WantedDistance> ReadWantedDistance(const ParseInput& input) {
  const Value& args = input.check.args;
  WantedDistance wanted{
      .to = {}, .at_most = {}, .rules = {}, .is_turned_around = IsTurnedAround(input.check)};
  ASSAY_CHECK_OK(OnlyMembers(args, {"to", "at_most", "ignore", "drop", "trim"}));
  ASSAY_TRY(wanted.at_most, BoundedMember(args, "at_most", 0, std::numeric_limits<double>::infinity()));
  ASSAY_TRY(wanted.rules, ReadNormalRules(args));
  const Value* to = args.Find("to");
  if (to == nullptr) return BadMember("a text", args, "to");
  ASSAY_TRY(const std::vector<std::string> texts, WrittenTexts(*to));
  for (const std::string& text : texts) {
    ASSAY_TRY(const std::string normal, NormalForm(text, wanted.rules));
    wanted.to.emplace_back(normal);
  }
  return wanted;
}

Score Grade(const GradeInput& input, const WantedDistance& wanted, WorkerState&) {
  const Result<std::string> normal = NormalForm(input.answer.text(), wanted.rules);
  if (!normal) return YesOrNo(normal.error(), wanted.is_turned_around);
  const std::u32string answer = ToUtf32(*normal);
  double best = 0;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const WantedLetters& to : wanted.to) {
    const std::size_t longer = std::max(answer.size(), to.size());
    const std::size_t distance = to.DistanceTo(answer);
    const double share = longer == 0 ? 1 : 1 - static_cast<double>(distance) / static_cast<double>(longer);
    best = std::max(best, share);
    least = std::min(least, distance);
  }
  if (wanted.at_most) best = static_cast<double>(least) <= *wanted.at_most ? 1 : 0;
  Score score = Score::Of(best);
  score.explanation = fmt::format("the distance is {}", least);
  return score;
}

}  // namespace

CheckArgs ParseEditDistance(const ParseInput& input, Diagnostics& diagnostics) {
  return ArgsOf(input, ReadWantedDistance(input), diagnostics);
}

Score GradeEditDistance(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<WantedDistance, Grade>(input, args, worker);
}

}  // namespace assay
