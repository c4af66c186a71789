// Scans brackets and quotes once to find the list and its elements.
#include "text/json/list_split.h"

#include <fmt/core.h>

#include <utility>

#include "base/errors/diagnostics.h"

namespace assay {

namespace {

Error OpenEnd() {
  return {ErrorCode::kInvalidInput, "expected JSON, found a bracket or a quote that is never closed"};
}

class Splitter {
 public:
  Splitter(std::string_view text, std::initializer_list<std::string_view> path, std::size_t most)
      : text_(text), path_(path), most_(most) {}

  Result<SplitJson> Split() {
    SkipBlanks();
    if (At() == '{') ASSAY_CHECK_OK(SearchObject(0));
    SplitJson split;
    split.elements = std::move(elements_);
    split.rest = std::string(text_.substr(0, list_begin_));
    split.rest += text_.substr(list_end_);
    return split;
  }

 private:
  char At() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void SkipBlanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }

  // Behind the string that begins here; its content as it is written.
  Result<std::string_view> TakeString() {
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= text_.size()) return OpenEnd();
    return text_.substr(begin, at_++ - begin);
  }

  // Behind the value that begins here.
  Status SkipValue() {
    std::size_t depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        const Result<std::string_view> skipped = TakeString();
        if (!skipped) return skipped.error();
        if (depth == 0) return Ok();
        continue;
      }
      const bool closes = c == ']' || c == '}';
      if (depth == 0 && (c == ',' || closes)) return Ok();
      if (c == '[' || c == '{') ++depth;
      if (closes) --depth;
      ++at_;
      if (closes && depth == 0) return Ok();
    }
    if (depth > 0) return OpenEnd();
    return Ok();
  }

  // The members of the object that begins here, for the name of this level.
  Status SearchObject(std::size_t level) {
    bool found = false;
    ++at_;
    while (true) {
      SkipBlanks();
      if (At() != '"') return Ok();  // its end, or no JSON
      ASSAY_TRY(const std::string_view key, TakeString());
      SkipBlanks();
      if (At() != ':') return Ok();
      ++at_;
      SkipBlanks();
      const bool is_wanted = key == *(path_.begin() + level);
      if (is_wanted && std::exchange(found, true)) {
        return Error{ErrorCode::kInvalidInput, fmt::format("expected {} once, found it twice", Quoted(key))};
      }
      if (is_wanted && level + 1 < path_.size() && At() == '{') {
        ASSAY_CHECK_OK(SearchObject(level + 1));
        if (At() == '}') ++at_;
      } else if (is_wanted && level + 1 == path_.size() && At() == '[') {
        ASSAY_CHECK_OK(TakeElements());
      } else {
        ASSAY_CHECK_OK(SkipValue());
      }
      SkipBlanks();
      if (At() != ',') return Ok();
      ++at_;
    }
  }

  Status TakeElements() {
    list_begin_ = ++at_;
    while (true) {
      SkipBlanks();
      if (At() == ']' || at_ >= text_.size()) break;
      const std::size_t begin = at_;
      ASSAY_CHECK_OK(SkipValue());
      if (elements_.size() == most_) {
        return Error{ErrorCode::kLimit,
                     fmt::format("expected at most {} elements of {}; export it in parts", most_,
                                 Quoted(path_.begin()[path_.size() - 1]))};
      }
      elements_.push_back(text_.substr(begin, at_ - begin));
      SkipBlanks();
      if (At() != ',') break;
      ++at_;
    }
    if (At() != ']') return OpenEnd();
    list_end_ = at_++;
    return Ok();
  }

  std::string_view text_;
  std::initializer_list<std::string_view> path_;
  std::size_t most_;
  std::size_t at_ = 0;
  std::vector<std::string_view> elements_;
  std::size_t list_begin_ = 0;
  std::size_t list_end_ = 0;
};

}  // namespace

Result<SplitJson> SplitJsonList(std::string_view text, std::initializer_list<std::string_view> path,
                                std::size_t most) {
  return Splitter(text, path, most).Split();
}

std::size_t JsonValuesMost(std::string_view text) {
  std::size_t values = 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at) at += text[at] == '\\' ? 1 : 0;
    } else if (c == ',' || c == '[' || c == '{') {
      ++values;
    }
  }
  return values;
}

}  // namespace assay
