// HtmlWriter: writes a page piece by piece into a sink. Our own markup is written as it is, foreign text is
// always escaped.
#pragma once

#include <string>
#include <string_view>

#include "base/errors/result.h"
#include "base/files/sink.h"

namespace assay {

class HtmlWriter {
 public:
  explicit HtmlWriter(Sink& sink) : sink_(sink) {}

  HtmlWriter& Raw(std::string_view markup);
  HtmlWriter& Text(std::string_view text);       // escaped, hidden characters shown
  HtmlWriter& Attribute(std::string_view text);  // for a double-quoted attribute
  // At most about `limit` bytes of escaped text; a mark that says how long it is if it was cut.
  HtmlWriter& CutText(std::string_view text, std::size_t limit);
  HtmlWriter& Markdown(std::string_view text, std::size_t limit);

  // The first failure of the sink; everything after it was dropped.
  const Status& status() const { return status_; }
  Status Finish();

 private:
  void FlushIfLarge();

  Sink& sink_;
  Status status_;
  std::string buffer_;
};

// "1.2 kB", "3.4 MB".
std::string SizeText(std::size_t bytes);
// 12,345
std::string GroupDigits(std::uint64_t number);

}  // namespace assay
