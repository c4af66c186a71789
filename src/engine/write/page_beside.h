// PageBeside: makes the page of a large run on a thread of its own, over a connection of its own, while the
// files of the dialect are written.
#pragma once

#include <memory>

#include "base/files/sink.h"
#include "engine/run/ran.h"
#include "report/export.h"

namespace assay {

class PageBeside {
  class Work;

 public:
  // Begins at once. All of these outlive it, and nothing is written to the store meanwhile. Null: the run is
  // small, its store cannot be read beside itself, or its words are only told in part, which the page says
  // once all of them were met.
  static std::unique_ptr<PageBeside> Begin(const RunWorld& world, const Ran& ran, const Report& report,
                                           const ExportAsk& ask);
  explicit PageBeside(std::unique_ptr<Work> work);
  ~PageBeside();  // waits
  PageBeside(const PageBeside&) = delete;
  PageBeside& operator=(const PageBeside&) = delete;

  // Waits for it. False: it could not be made so, as where the second connection was lost.
  bool IsMade();
  // Of one that is made: writes what ExportUnasked would.
  Status WriteTo(Sink& sink);

 private:
  std::unique_ptr<Work> work_;
};

}  // namespace assay
