// toml++ behind our tree: the only file that includes it, since it takes seconds to compile.
#include "text/toml.h"

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <algorithm>
#include <string>

#include "base/utf8.h"

namespace assay {

namespace {

class Converter {
 public:
  Converter(FileId file, std::string_view text) : file_(file), text_(text) {
    for (std::size_t at = 0; at != std::string_view::npos; at = text.find('\n', at)) {
      line_starts_.push_back(at == 0 && line_starts_.empty() ? 0 : ++at);
    }
  }

  Span SpanOf(const toml::source_region& region) const {
    const std::size_t begin = OffsetOf(region.begin);
    const std::size_t end = std::max(begin, OffsetOf(region.end));
    return {.file = file_,
            .offset = static_cast<std::uint32_t>(begin),
            .length = static_cast<std::uint32_t>(end - begin)};
  }

  Value Convert(const toml::node& node) const {
    Value value = node.visit([this, &node](const auto& typed) { return Content(typed, node); });
    value.span = SpanOf(node.source());
    return value;
  }

 private:
  // Positions count lines and code points from 1.
  std::size_t OffsetOf(const toml::source_position& position) const {
    if (position.line == 0 || position.line > line_starts_.size()) return text_.size();
    std::size_t offset = line_starts_[position.line - 1];
    for (toml::source_index column = 1; column < position.column && offset < text_.size(); ++column) {
      offset += DecodeUtf8(text_, offset).size_bytes;
    }
    return offset;
  }

  template <class Node>
  Value Content(const Node& node, const toml::node& any) const {
    if constexpr (toml::is_table<Node>) {
      return Table(node);
    } else if constexpr (toml::is_array<Node>) {
      List list;
      for (const toml::node& item : node) list.push_back(Convert(item));
      return list;
    } else if constexpr (toml::is_string<Node>) {
      return node.get();
    } else if constexpr (toml::is_integer<Node>) {
      return static_cast<std::int64_t>(node.get());
    } else if constexpr (toml::is_floating_point<Node>) {
      return node.get();
    } else if constexpr (toml::is_boolean<Node>) {
      return node.get();
    } else {
      const Span span = SpanOf(any.source());
      return text_.substr(span.offset, span.length);
    }
  }

  Value Table(const toml::table& table) const {
    std::vector<Member> members;
    for (const auto& [key, node] : table) {
      members.push_back({std::string(key.str()), Convert(node), SpanOf(key.source())});
    }
    // The library sorts keys; people do not.
    std::stable_sort(members.begin(), members.end(),
                     [](const Member& a, const Member& b) { return a.key_span.offset < b.key_span.offset; });
    Map map;
    for (Member& member : members)
      map.Append(std::move(member.key), std::move(member.value), member.key_span);
    return map;
  }

  FileId file_;
  std::string_view text_;
  std::vector<std::size_t> line_starts_;
};

}  // namespace

Value ReadToml(FileId file, std::string_view text, Diagnostics& diagnostics) {
  const Converter converter(file, text);
  const toml::parse_result result = toml::parse(text);
  if (!result) {
    const toml::parse_error& error = result.error();
    diagnostics.Error("toml.syntax", "this is no TOML: " + std::string(error.description()),
                      converter.SpanOf(error.source()), "https://toml.io shows the syntax");
    return {};
  }
  return converter.Convert(result.table());
}

}  // namespace assay
