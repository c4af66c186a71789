// Slips of writers that YAML's own messages hide: found in the lines around the place where reading broke.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

struct YamlSlip {
  std::string message;
  std::string hint;
  std::size_t offset = 0;  // bytes of the text
  std::size_t length = 0;
};

// `offset`: where the reader broke, in bytes of `text`. Nothing if the lines there look fine.
//   prompt:Why?      no blank behind the colon of a key that the formats have
//   --               two dashes, or four, between header and prompts
//   – a              a dash of word processors, or a bullet, in place of "-"
//   - prompt: a      a key that is not indented as the keys of its item are
//   should:
std::optional<YamlSlip> FindYamlSlip(std::string_view text, std::size_t offset);

}  // namespace assay
