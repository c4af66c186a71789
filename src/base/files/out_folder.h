// OutFolder: writes below one folder without following any link there, so that whoever put a link into it
// does not decide where results go. The folder itself is no link, and no folder between it and the current
// one is: those came with whatever the user cloned. Folders above the current one, and those elsewhere, are
// the user's own and may be links.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "base/errors/result.h"

namespace assay {

// What the disk said no to, as an Error with what to do about it; `error_number` is errno.
Error WriteError(std::string_view path, int error_number);
// All of `bytes` to an open file; kIo: WriteError of `path`.
Status WriteAll(int file, std::string_view bytes, std::string_view path);

// kRefused: a part of `path` that lies below the current folder is a link, the last part included. Whoever
// writes by a path asks this before he makes anything; parts that do not exist yet are fine.
Status NoLinkBelowHere(std::string_view path);
// The path that `path` leads to. For folders of the user's own such as ~/.cache, which he may keep elsewhere
// and in whose home he may work.
std::string WithoutLinks(const std::string& path);

class OutFolder {
 public:
  enum class Kind : std::uint8_t { kNothing, kFile, kOther };  // kOther: a folder, link, pipe or device

  explicit OutFolder(std::string root);
  ~OutFolder();
  OutFolder(const OutFolder&) = delete;
  OutFolder& operator=(const OutFolder&) = delete;

  // A descriptor of the folder of the file `path`, made with those above it; good until the next call. `path`
  // is relative to the root, with '/' between parts, without empty, "." and ".." parts.
  Result<int> FolderOf(std::string_view path);
  // Whether the folder of the last call was made by this object: nobody else's files are in it.
  bool IsNew() const { return !open_.empty() && open_.back().is_new; }
  // The calls below make no folder: what is in none is nothing.
  Result<Kind> KindOf(std::string_view path);
  Result<std::string> Read(std::string_view path);  // of a file, at most limits::kInputFileBytesMax
  // Open for writing where `path` is a pipe or a character device, which nobody means to replace, and then
  // the caller's to close; -1 where it is a file, a link or nothing. Links of /dev and /proc are followed:
  // only the system puts them there. kIo: a folder, a disk or a socket.
  Result<int> StreamAt(std::string_view path);
  Status Remove(std::string_view path);                       // nothing there is fine
  Status Rename(std::string_view from, std::string_view to);  // in one folder; replaces what is there
  std::string PathOf(std::string_view path) const;            // for people

 private:
  enum class Missing : std::uint8_t { kMake, kRefuse };
  // A folder below the root.
  struct Folder {
    std::string path;
    int descriptor = -1;
    bool is_new = false;
  };
  Status OpenRoot(Missing missing);
  Result<int> Open(std::string_view folder, Missing missing);
  Result<Folder> OpenPart(int parent, std::string_view folder, std::size_t begin, std::size_t end,
                          Missing missing) const;
  void Leave();

  std::string root_;
  int root_descriptor_ = -1;
  std::vector<Folder> open_;  // the last one that was asked for, behind those above it
};

}  // namespace assay
