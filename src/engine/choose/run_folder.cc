// Finds names that no folder has yet, and makes folders with them.
#include "engine/choose/run_folder.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/files/out_folder.h"

namespace assay {

namespace {

bool IsPlainName(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos;
}

// The folders of a suite's runs, one of which is a new run's own.
class RunFolders {
 public:
  RunFolders(const RunFolder& folder, const Suite& suite, std::int64_t now_ms)
      : folder_(folder), root_(folder.root(suite)), now_ms_(now_ms) {}

  // Where they lie; an error if none can be made there.
  Status MakeRoot() const {
    const Result<int> made = OutFolder(root_).FolderOf("run");
    if (!made) return made.error();
    if (access(root_.c_str(), W_OK | X_OK) != 0) return WriteError(root_, errno);
    return Ok();
  }

  // The next name that nobody has.
  Result<std::string> NextName() {
    for (; count_ < folder_.count_max; ++count_) {
      std::string name = folder_.name(now_ms_, count_);
      struct stat there {};
      if (lstat(PathOf(name).c_str(), &there) != 0) return name;
    }
    return Error{ErrorCode::kIo, fmt::format("every name for a folder in {} is taken", Quoted(root_))};
  }

  // False if the name was taken meanwhile.
  Result<bool> Make(std::string_view name) const {
    const std::string path = PathOf(name);
    if (mkdir(path.c_str(), 0777) == 0) return true;
    if (errno != EEXIST) return WriteError(path, errno);
    return false;
  }

 private:
  std::string PathOf(std::string_view name) const { return fmt::format("{}/{}", root_, name); }

  const RunFolder& folder_;
  const std::string root_;
  const std::int64_t now_ms_;
  unsigned count_ = 0;
};

}  // namespace

std::string FolderOfRun(const DialectRow& dialect, const Suite& suite, const RunRecord& record) {
  return fmt::format("{}/{}", dialect.folder->root(suite), record.context.run_label);
}

Status MakeFolder(const RunFolder& folder, const Suite& suite, const RunRecord& run) {
  // A store may be somebody else's work: where files go is one plain name below the suite's own root.
  if (!IsPlainName(run.context.run_label)) {
    return Error{ErrorCode::kCorrupt,
                 fmt::format("the store names {} as the folder of run {}, which is no name of a folder; "
                             "--fresh begins another run",
                             Quoted(run.context.run_label), run.context.run_id)};
  }
  RunFolders folders(folder, suite, run.context.started_ms);
  ASSAY_CHECK_OK(folders.MakeRoot());
  const Result<bool> is_made = folders.Make(run.context.run_label);
  if (!is_made) return is_made.error();
  return Ok();
}

Status BeginInFolder(const RunFolder& folder, const Suite& suite, RunRecord& run, Store& store) {
  RunFolders folders(folder, suite, run.context.started_ms);
  ASSAY_CHECK_OK(folders.MakeRoot());
  ASSAY_TRY(run.context.run_label, folders.NextName());
  ASSAY_CHECK_OK(store.BeginRun(run));
  while (true) {
    ASSAY_TRY(const bool is_made, folders.Make(run.context.run_label));
    if (is_made) return Ok();
    ASSAY_TRY(run.context.run_label, folders.NextName());
    ASSAY_CHECK_OK(store.UpdateRun(run));
  }
}

}  // namespace assay
