// WrittenFiles: a Sink on disk that decides what happens where a file of the same name exists, and remembers
// the paths that were written.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/files/out_folder.h"
#include "base/files/sink.h"

namespace assay {

enum class Existing {
  kRefuse,    // as every sink does
  kKeep,      // a run that goes on finds the files that it wrote before it was stopped: equal, by their names
  kSetAside,  // a file of that name gets a number: results.yaml becomes results.1.yaml, unless it is equal
  // The new file takes its place, once it is whole. A link is replaced, not followed; a pipe or a device is
  // written to.
  kReplace,
};

// Below `root`, through no link; remembers the paths of the files that were completed or kept. Files can be
// made again from the store, so they are not synced one by one.
class WrittenFiles final : public Sink {
 public:
  WrittenFiles(std::string root, Existing existing);
  ~WrittenFiles() override;
  WrittenFiles(const WrittenFiles&) = delete;
  WrittenFiles& operator=(const WrittenFiles&) = delete;
  Status Open(std::string_view path) override;
  Status Write(std::string_view bytes) override;
  Status Close() override;
  // Writes a file anew from what it holds ("" if there is none; else as of kReplace).
  Status Replace(std::string_view path,
                 const std::function<Result<std::string>(std::string_view existing)>& make);
  // Everything from now on goes to this folder below the root; "" is the root itself.
  void EnterFolder(std::string_view folder);
  const std::vector<std::string>& paths() const { return paths_; }
  const std::vector<std::string>& names() const { return names_; }  // the same, below the root

 private:
  // Where the bytes of an open file go first.
  std::string PartPath() const;
  Status Stream(std::string_view bytes) const;
  void CloseStream();
  // Moves the file of that name aside, if there is one.
  Status SetAside(const std::string& path);
  OutFolder root_;
  Existing existing_;
  std::unique_ptr<Sink> disk_;
  std::string folder_;     // "", or with its slash
  std::string open_path_;  // below the root
  bool is_kept_ = false;
  int stream_ = -1;        // the open pipe or device
  std::string set_aside_;  // where the open file's predecessor is, likewise; "" if there is none
  void Remember(const std::string& name);
  std::vector<std::string> paths_;
  std::vector<std::string> names_;
};

}  // namespace assay
