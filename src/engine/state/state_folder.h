// StateFolder: what assay remembers of this user outside of every project, so that a cloned folder cannot
// claim it. docs/trust.md says what lies there.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/errors/result.h"

namespace assay {

class StateFolder {
 public:
  // $XDG_STATE_HOME/assay, else ~/.local/state/assay; made with mode 0700. kRefused: it is a link, somebody
  // else's, or others may write to it; kNotFound: there is no home; kIo and kRefused: it cannot be written.
  // Every message says what to do.
  static Result<StateFolder> Open();
  // The same at a path of one's own.
  static Result<StateFolder> At(std::string path);

  // The whole file of that name; "" while there is none.
  Result<std::string> Read(std::string_view name) const;
  // Gives the file what `change` makes of its text, whole or not at all; no other assay changes it meanwhile.
  using Change = std::function<Result<std::string>(std::string text)>;
  Status Update(std::string_view name, const Change& change) const;

  const std::string& path() const { return path_; }

 private:
  explicit StateFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace assay
