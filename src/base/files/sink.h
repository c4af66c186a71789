// Sink: the interface by which writers create output files; names are relative to the run's output folder,
// bytes are streamed.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/errors/result.h"

namespace assay {

// Whether a path names something below a folder: relative, with '/' between parts, without empty, "." and
// ".." parts.
bool IsCleanRelative(std::string_view path);

class Sink {
 public:
  virtual ~Sink() = default;
  // Starts a file; folders are made as needed. Fails if a file of that name exists (nothing is overwritten),
  // in Close at the latest.
  // `path`: IsCleanRelative.
  virtual Status Open(std::string_view path) = 0;
  virtual Status Write(std::string_view bytes) = 0;
  // Ends the file: only now does it appear under its name, with all of its bytes.
  virtual Status Close() = 0;
};

enum class Durability {
  kSynced,  // a closed file survives a power cut; costs a wait for the disk each
  kAtomic,  // a closed file survives the end of the process; for what can be made again
};

// Where the bytes of an open file are.
enum class Temporary {
  kUnnamed,  // in a file without a name, which goes with its process; named where the disk knows none
  // Beside the file's place as `.assay-PID-N.part`; the next one sweeps what a killed process leaves.
  kNamed,
};

enum class ReadableBy {
  kOthers,     // as the user's umask says: files that somebody asked for
  kOnlyOwner,  // mode 0600: what is kept unasked, and holds answers
};

// Writes below `root`. A file that was not closed leaves nothing behind, but for killed writers of kNamed.
std::unique_ptr<Sink> MakeDiskSink(std::string root, Durability durability = Durability::kSynced,
                                   Temporary temporary = Temporary::kUnnamed,
                                   ReadableBy readable_by = ReadableBy::kOthers);

}  // namespace assay
