// KnownFlakyFile: the file of --known-flaky, with one case id a line, which says beside the suite itself what
// cases no gate counts.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/errors/result.h"

namespace assay {

struct Case;

class KnownFlakyFile {
 public:
  // kNotFound, kIo: it cannot be read; kInvalidInput: it is no text.
  static Result<KnownFlakyFile> Read(const std::string& path);

  // Ids of the cases that are known to be flaky, by the file or by the suite; sorted.
  std::vector<std::string> CasesOf(std::span<const Case> cases) const;
  // A line for each id that none of the cases has, with its place; "" if there is none.
  std::string UnknownText(std::span<const Case> cases) const;

 private:
  struct Line {
    std::string id;
    std::size_t number = 0;  // from 1
  };
  std::string path_;
  std::vector<Line> lines_;
};

}  // namespace assay
