// Unpacks a book: META-INF/container.xml names the package file, its manifest the files, its spine their
// order.
#include "corpus/read/epub.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text/percent.h"
#include "corpus/index/words.h"
#include "corpus/limits.h"
#include "corpus/read/html.h"
#include "text/packed/zip.h"

namespace assay {

namespace {

constexpr std::string_view kContainer = "META-INF/container.xml";

// "opf:item" -> "item": prefixes of namespaces are each book's own choice.
std::string_view LocalName(std::string_view name) {
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

// `href`, relative to the folder of `base`, as a name in the archive.
std::string ResolveName(std::string_view base, std::string_view href) {
  const std::string plain = PercentDecoded(href.substr(0, href.find('#')));
  std::vector<std::string_view> parts;
  const auto add = [&parts](std::string_view path) {
    while (!path.empty()) {
      const std::size_t end = std::min(path.find('/'), path.size());
      const std::string_view part = path.substr(0, end);
      path.remove_prefix(std::min(end + 1, path.size()));
      if (part == "..") {
        if (!parts.empty()) parts.pop_back();
      } else if (!part.empty() && part != ".") {
        parts.push_back(part);
      }
    }
  };
  const std::size_t slash = base.rfind('/');
  if (slash != std::string_view::npos && !plain.starts_with('/')) add(base.substr(0, slash));
  add(plain);
  std::string name;
  for (const std::string_view part : parts) name += (name.empty() ? "" : "/") + std::string(part);
  return name;
}

struct Package {
  std::string title;
  std::vector<std::string> chapters;  // names in the archive, in reading order
};

Package ReadPackage(std::string_view name, std::string_view xml) {
  Package package;
  std::map<std::string, std::string, std::less<>> files;
  std::vector<std::string> order;
  bool is_title = false;
  const auto on_tag = [&](const MarkupTag& tag) {
    const std::string_view local = LocalName(tag.name);
    is_title = local == "title" && !tag.is_closing;
    const std::string* id = tag.Find("id");
    const std::string* href = tag.Find("href");
    const std::string* idref = tag.Find("idref");
    if (local == "item" && id != nullptr && href != nullptr && files.size() < limits::kEpubEntriesMax)
      files.emplace(*id, ResolveName(name, *href));
    if (local == "itemref" && idref != nullptr && order.size() < limits::kEpubChaptersMax)
      order.push_back(*idref);
  };
  const auto on_text = [&](std::string_view text) {
    if (is_title && package.title.empty()) package.title = CollapseBlanks(text);
  };
  ScanMarkup(xml, {.on_tag = on_tag, .on_text = on_text});
  std::set<std::string> taken;
  for (const std::string& id : order) {
    const auto file = files.find(id);
    if (file != files.end() && taken.insert(file->second).second) package.chapters.push_back(file->second);
  }
  return package;
}

std::string PackageName(std::string_view xml) {
  std::string name;
  const auto on_tag = [&name](const MarkupTag& tag) {
    const std::string* path = tag.Find("full-path");
    if (name.empty() && LocalName(tag.name) == "rootfile" && path != nullptr) name = *path;
  };
  ScanMarkup(xml, {.on_tag = on_tag, .on_text = [](std::string_view) {}});
  return name;
}

// Reads files as long as all of them together stay below the limit.
class Unpacker {
 public:
  explicit Unpacker(const ZipArchive& archive) : archive_(archive) {}

  Result<std::string> Read(std::string_view name) {
    const ZipEntry* entry = archive_.Find(name);
    if (entry == nullptr) {
      return Error{ErrorCode::kCorrupt,
                   fmt::format("expected a book with a file {}, found none; fetch it again", name)};
    }
    ASSAY_TRY(std::string bytes, archive_.Read(*entry, left_));
    left_ -= bytes.size();
    return bytes;
  }

 private:
  const ZipArchive& archive_;
  std::size_t left_ = limits::kDocumentBytesMax;
};

}  // namespace

Result<DocumentText> ReadEpub(std::string_view bytes) {
  ASSAY_TRY(const ZipArchive archive, ZipArchive::Open(bytes, limits::kEpubEntriesMax));
  Unpacker unpacker(archive);
  ASSAY_TRY(const std::string container, unpacker.Read(kContainer));
  const std::string package_name = PackageName(container);
  ASSAY_TRY(const std::string package_xml, unpacker.Read(package_name));
  const Package package = ReadPackage(package_name, package_xml);
  DocumentText book;
  book.title = package.title;
  for (const std::string& chapter : package.chapters) {
    if (archive.Find(chapter) == nullptr) continue;
    ASSAY_TRY(const std::string page, unpacker.Read(chapter));
    const DocumentText decoded = DecodePlainText(page);
    book.dropped_bytes += decoded.dropped_bytes;
    const std::string text = ReadHtml(decoded.text).text;
    if (text.empty()) continue;
    if (!book.text.empty()) book.text += "\n\n";
    book.page_starts.push_back(book.text.size());
    book.text += text;
  }
  return book;
}

}  // namespace assay
