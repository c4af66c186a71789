// Writes an unnamed file, syncs it, gives it a temporary name, renames it, and syncs the folder.
#include "engine/state/pinned_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace assay {

PinnedFiles::PinnedFiles(std::string root, ReadableBy readable_by)
    : root_(root),
      disk_(MakeDiskSink(std::move(root), Durability::kSynced, Temporary::kUnnamed, readable_by)) {}

Status PinnedFiles::Put(std::string_view path, std::string_view bytes) {
  const std::string place(path);
  const std::string complete = place + ".new~";  // no document's name ends so
  ASSAY_CHECK_OK(root_.Remove(complete));
  ASSAY_CHECK_OK(disk_->Open(complete));
  ASSAY_CHECK_OK(disk_->Write(bytes));
  ASSAY_CHECK_OK(disk_->Close());
  ASSAY_CHECK_OK(root_.Rename(complete, place));
  ASSAY_TRY(const int folder, root_.FolderOf(place));
  // That descriptor only names the folder.
  const int readable = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // Some file systems sync no folders.
  const bool is_synced = readable >= 0 && (fsync(readable) == 0 || errno == EINVAL);
  const int problem = errno;
  if (readable >= 0) close(readable);
  return is_synced ? Ok() : Status(WriteError(root_.PathOf(place), problem));
}

}  // namespace assay
