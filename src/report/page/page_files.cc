// Joins modules by the lines that begin with `import` and `export`.
#include "report/page/page_files.h"

#include <algorithm>
#include <set>

#include "base/errors/assert.h"

namespace assay {

namespace {

const PageFile& FileOf(std::span<const PageFile> files, std::string_view name) {
  const auto found =
      std::find_if(files.begin(), files.end(), [name](const PageFile& file) { return file.name == name; });
  ASSAY_ASSERT(found != files.end());
  return *found;
}

// What stands between the quotes of "… from './dom.js';".
std::string_view ImportedName(std::string_view statement) {
  const std::size_t end = statement.rfind('\'');
  const std::size_t begin = end == std::string_view::npos ? end : statement.rfind('\'', end - 1);
  ASSAY_ASSERT(begin != std::string_view::npos);
  std::string_view name = statement.substr(begin + 1, end - begin - 1);
  if (name.starts_with("./")) name.remove_prefix(2);
  return name;
}

class Joiner {
 public:
  explicit Joiner(std::span<const PageFile> files) : files_(files) {}

  void Add(std::string_view name) {
    if (!seen_.insert(name).second) return;
    std::string own = "\n// " + std::string(name) + "\n";
    std::string_view text = FileOf(files_, name).text;
    while (!text.empty()) {
      if (text.starts_with("import ")) {
        const std::size_t end = text.find(';');
        ASSAY_ASSERT(end != std::string_view::npos);
        Add(ImportedName(text.substr(0, end)));
        text.remove_prefix(std::min(end + 2, text.size()));
        continue;
      }
      constexpr std::string_view kExport = "export ";
      if (text.starts_with(kExport)) text.remove_prefix(kExport.size());
      const std::size_t line = std::min(text.find('\n'), text.size() - 1) + 1;
      own += text.substr(0, line);
      text.remove_prefix(line);
    }
    joined_ += own;
  }

  std::string Take() { return std::move(joined_); }

 private:
  std::span<const PageFile> files_;
  std::set<std::string_view> seen_;
  std::string joined_;
};

}  // namespace

std::string JoinedScript(std::span<const PageFile> files) {
  Joiner joiner(files);
  joiner.Add("main.js");
  std::string script = joiner.Take();
  ASSAY_ASSERT(script.find("</script") == std::string::npos);
  return script;
}

std::string JoinedStyle(std::span<const PageFile> files) {
  constexpr std::string_view kSheet = "<link rel=\"stylesheet\" href=\"";
  std::string style;
  std::string_view page = FileOf(files, "index.html").text;
  for (std::size_t at = page.find(kSheet); at != std::string_view::npos; at = page.find(kSheet)) {
    page.remove_prefix(at + kSheet.size());
    style += FileOf(files, page.substr(0, page.find('"'))).text;
  }
  ASSAY_ASSERT(style.find("</style") == std::string::npos);
  return style;
}

}  // namespace assay
