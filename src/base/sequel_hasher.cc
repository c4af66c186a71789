// Keeps the state of the hash at marks of the last text, and goes on from the last one before the first
// difference.
#include "base/sequel_hasher.h"

#include <algorithm>
#include <string>
#include <vector>

namespace assay {

namespace {

constexpr std::size_t kLongBytes = 32 * 1024;
constexpr std::size_t kMarkBytes = 4 * 1024;

}  // namespace

struct SequelHasher::Last {
  std::string text = {};
  std::vector<Sha256> marks = {Sha256()};  // marks[i]: the state after i × kMarkBytes of text
};

SequelHasher::SequelHasher() = default;
SequelHasher::~SequelHasher() = default;
SequelHasher::SequelHasher(SequelHasher&&) noexcept = default;
SequelHasher& SequelHasher::operator=(SequelHasher&&) noexcept = default;

Digest SequelHasher::Of(std::string_view text) {
  if (text.size() < kLongBytes) return Sha256Of(text);  // costs less than to keep it
  if (last_ == nullptr) last_ = std::make_unique<Last>();
  std::string& kept = last_->text;
  std::vector<Sha256>& marks = last_->marks;
  const auto difference = std::ranges::mismatch(kept, text).in1;
  const auto same = static_cast<std::size_t>(difference - kept.begin()) / kMarkBytes;
  marks.resize(same + 1);
  kept.resize(same * kMarkBytes);
  kept.append(text.substr(kept.size()));
  std::string_view rest = text.substr(same * kMarkBytes);
  while (rest.size() >= kMarkBytes) {
    Sha256 next = marks.back();
    next.Update(rest.substr(0, kMarkBytes));
    marks.push_back(next);
    rest.remove_prefix(kMarkBytes);
  }
  Sha256 whole = marks.back();
  whole.Update(rest);
  return whole.Finish();
}

}  // namespace assay
