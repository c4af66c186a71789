// What somebody who wrote a part of an id may have meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace assay {

// Without what stands before the last '/' or ':', and without a file's ending: "loop" of "cases/loop.yaml".
std::string_view NameOfId(std::string_view id);

// The id that is meant by `word`: the nearest one (DidYouMean), else the one whose name alone is meant (of
// "cases/loop.yaml" that is "loop", of "openai:gpt-4o" it is "gpt-4o"), else the only one that holds the
// word. "" if none is.
std::string_view NearestId(std::string_view word, std::span<const std::string_view> ids);

// ", did you mean "loop"?", else "; there are "a", "b" and 3 more"; "" if there are no ids.
std::string IdHint(std::string_view word, std::span<const std::string_view> ids);

}  // namespace assay
