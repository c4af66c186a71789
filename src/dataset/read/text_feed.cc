// Proves and hashes the text of a file piece by piece.
#include "dataset/read/text_feed.h"

#include "base/text/utf8.h"

namespace assay::dataset {

namespace {

constexpr std::size_t kHashedAtOnce = 64u << 10;
constexpr std::size_t kLeftAtOnce = 4u << 20;

}  // namespace

bool TextFeed::ReadTo(std::size_t offset) {
  if (offset <= proved_) return true;
  const std::size_t bad = FindInvalidUtf8(text_.substr(proved_, offset - proved_));
  if (bad != std::string_view::npos) {
    bad_at_ = proved_ + bad;
    return false;
  }
  proved_ = offset;
  if (mark_bytes_ + offset - hashed_ >= kHashedAtOnce) Hash(mark_bytes_ + offset);
  if (offset - left_ >= kLeftAtOnce) {
    bytes_->LeaveBehind(offset);
    left_ = offset;
  }
  return true;
}

void TextFeed::Hash(std::size_t offset) {
  if (!digest_) hash_.Update(bytes_->view().substr(hashed_, offset - hashed_));
  hashed_ = offset;
}

std::string TextFeed::TakeDigest() {
  Hash(mark_bytes_ + proved_);
  return digest_ ? *std::move(digest_) : Hex(hash_.Finish());
}

}  // namespace assay::dataset
