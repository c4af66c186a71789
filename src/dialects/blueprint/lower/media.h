// The parts of a blueprint's messages: files are read, addresses are left to be fetched before the run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "dialects/dialect.h"
#include "spec/suite/media.h"
#include "text/value.h"

namespace assay::blueprint {

// Reads each file of a suite once.
class MediaReader {
 public:
  explicit MediaReader(const ReadInput& input) : input_(input) {}

  // Of a message in its normal form; an error for each that cannot be sent. `prompt` names it in messages.
  std::vector<MediaPart> PartsOf(const Value& message, std::string_view prompt);

 private:
  Result<MediaPart> FileAt(MediaKind kind, const std::string& path);

  const ReadInput& input_;
  std::map<std::pair<MediaKind, std::string>, Result<MediaPart>> read_;
  std::size_t bytes_ = 0;
};

// Writes the addresses in a prompt's messages as result files may have them: with their secrets hashed.
void HideSecrets(Value& prompt);

}  // namespace assay::blueprint
