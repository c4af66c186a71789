// A document of a run: a part of its text, and where it is used.
#include "report/values/pages/document_page.h"

#include "base/limits.h"
#include "view/endpoint.h"

namespace assay {

Result<Made> MakeDocument(Library&, OpenedRun& run, const Asked& asked) {
  ASSAY_TRY(const std::uint64_t from, asked.Number("from", 0));
  ASSAY_TRY(const std::uint64_t to, asked.Number("to", from + limits::kDocumentPartBytesMax));
  ASSAY_TRY(const Value value,
            DocumentPageValue(run.report,
                              {.id = asked.names[1], .from = from, .to = to, .suite = run.record.source}));
  return MadeOf(value);
}

}  // namespace assay
