// A document of a run as a JSON value: its text by page, and which passages of it had to do with which
// answers (docs/formats/view.md, run/ID/doc/D).
#pragma once

#include <cstdint>
#include <string_view>

#include "base/errors/result.h"
#include "spec/report/report.h"
#include "text/value.h"

namespace assay {

struct DocumentAsk {
  std::string_view id;
  std::uint64_t from = 0;  // bytes of the text
  std::uint64_t to = 0;    // at most limits::kDocumentPartBytesMax behind `from`
  bool is_whole = false;   // in place of both: all of it
  std::string_view suite;  // as the user named it to the run, with options behind it
};
// kNotFound: the run has no such document.
Result<Value> DocumentPageValue(const Report& report, const DocumentAsk& ask);

}  // namespace assay
