// TextFeed: what is done once with the text of a file while it is read from start to end. Its letters are
// proved, its bytes get their digest, and pages of a mapped file go back to the system.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/files/file_bytes.h"
#include "base/hash.h"

namespace assay::dataset {

class TextFeed {
 public:
  // `text` is that of `bytes` behind a byte order mark.
  TextFeed(std::shared_ptr<const FileBytes> bytes, std::string_view text)
      : bytes_(std::move(bytes)), text_(text), mark_bytes_(bytes_->view().size() - text.size()) {}
  // Text that was made of the file's bytes, whose digest is known.
  TextFeed(std::shared_ptr<const FileBytes> bytes, std::string_view text, std::string digest)
      : TextFeed(std::move(bytes), text) {
    digest_ = std::move(digest);
  }

  // Reads on to `offset` of the text, where a letter ends. False: a byte before it is none of UTF-8.
  bool ReadTo(std::size_t offset);
  std::size_t bad_at() const { return bad_at_; }
  // Of the bytes that were read. Once.
  std::string TakeDigest();
  std::size_t proved() const { return proved_; }  // of the text, from its start
  bool HasReadAll() const { return proved_ == text_.size(); }
  bool HasChanged() const { return bytes_->HasChanged(); }

 private:
  void Hash(std::size_t offset);

  std::shared_ptr<const FileBytes> bytes_;
  std::string_view text_;
  std::size_t mark_bytes_;
  std::size_t proved_ = 0;
  std::size_t hashed_ = 0;  // of the bytes
  std::size_t left_ = 0;
  std::size_t bad_at_ = 0;
  Sha256 hash_;
  std::optional<std::string> digest_;
};

}  // namespace assay::dataset
