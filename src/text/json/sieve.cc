// Walks down to the wanted members; everything else is one run over brackets and quotes.
#include "text/json/sieve.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/errors/diagnostics.h"

namespace assay {

namespace {

constexpr int kNoMore = -1;              // behind the last byte
constexpr std::size_t kNameBytes = 256;  // of a member's name; what is longer is nobody's

Error Unclosed() {
  return {ErrorCode::kInvalidInput, "expected JSON, found a bracket or a quote that is never closed"};
}

class JsonSieve {
 public:
  JsonSieve(ByteStream& bytes, const Sieve& sieve) : bytes_(bytes), sieve_(sieve) {}

  Result<std::string> Run() {
    std::string kept;
    SkipBlanks();
    ASSAY_CHECK_OK(Take(sieve_.members, kept));
    SkipBlanks();
    if (Peek() != kNoMore)
      return Error{ErrorCode::kInvalidInput, "expected the end of the JSON text, found more"};
    if (error_) return *std::move(error_);
    return kept;
  }

 private:
  // The next byte, which stays; kNoMore where the text ends or cannot be read.
  int Peek() {
    while (at_ == piece_.size()) {
      if (has_ended_) return kNoMore;
      Result<std::string_view> next = bytes_.Next();
      if (!next) error_ = std::move(next).error();
      piece_ = next ? *next : std::string_view();
      has_ended_ = piece_.empty();
      at_ = 0;
    }
    return static_cast<unsigned char>(piece_[at_]);
  }

  void SkipBlanks() {
    for (int c = Peek(); c == ' ' || c == '\t' || c == '\r' || c == '\n'; c = Peek()) ++at_;
  }

  Status Keep(std::string_view text, std::string& kept) {
    if (kept.size() + text.size() > sieve_.bytes_max) {
      return Error{ErrorCode::kLimit,
                   fmt::format("expected at most {} bytes in one piece, found more; export it in parts",
                               sieve_.bytes_max)};
    }
    kept += text;
    return Ok();
  }

  Status OpenEnd() { return error_ ? Status(*error_) : Status(Unclosed()); }

  // A value of which only `members` are wanted, if it is an object.
  Status Take(std::span<const SieveMember> members, std::string& kept) {
    return !members.empty() && Peek() == '{' ? TakeObject(members, kept) : TakeValue(&kept);
  }

  // The whole value that begins here; null: it is left out.
  Status TakeValue(std::string* kept) {
    std::size_t depth = 0;
    bool in_text = false;
    bool is_escaped = false;
    while (Peek() != kNoMore) {
      const std::size_t begin = at_;
      bool is_done = false;
      while (at_ < piece_.size() && !is_done) {
        const char c = piece_[at_];
        const bool closes = !in_text && (c == ']' || c == '}');
        if (!in_text && depth == 0 && (c == ',' || closes)) {
          is_done = true;
          break;
        }
        if (in_text) {
          in_text = is_escaped || c != '"';
          is_escaped = !is_escaped && c == '\\';
          is_done = !in_text && depth == 0;
        } else if (c == '"') {
          in_text = true;
        } else if (c == '[' || c == '{') {
          ++depth;
        } else if (closes) {
          is_done = --depth == 0;
        }
        ++at_;
      }
      if (kept != nullptr) ASSAY_CHECK_OK(Keep(piece_.substr(begin, at_ - begin), *kept));
      if (is_done) return Ok();
    }
    return error_ || in_text || depth > 0 ? OpenEnd() : Ok();
  }

  // The name that begins here, without its quotes.
  Result<std::string> TakeName() {
    std::string name;
    bool is_escaped = false;
    for (++at_; Peek() != kNoMore; ++at_) {
      const char c = piece_[at_];
      if (c == '"' && !is_escaped) {
        ++at_;
        return name;
      }
      is_escaped = !is_escaped && c == '\\';
      if (name.size() < kNameBytes) name += c;
    }
    return error_ ? *error_ : Unclosed();
  }

  Status TakeObject(std::span<const SieveMember> members, std::string& kept) {
    ASSAY_CHECK_OK(Keep("{", kept));
    ++at_;
    for (bool is_first = true;;) {
      SkipBlanks();
      if (Peek() == '}') break;
      if (Peek() == kNoMore) return OpenEnd();
      if (Peek() != '"') return NoJson();
      ASSAY_TRY(const std::string name, TakeName());
      SkipBlanks();
      if (Peek() != ':') return Peek() == kNoMore ? OpenEnd() : NoJson();
      ++at_;
      SkipBlanks();
      const auto member = std::find_if(members.begin(), members.end(),
                                       [&name](const SieveMember& each) { return each.name == name; });
      if (member == members.end()) {
        ASSAY_CHECK_OK(TakeValue(nullptr));
      } else {
        ASSAY_CHECK_OK(Keep(fmt::format("{}\"{}\":", is_first ? "" : ",", name), kept));
        is_first = false;
        ASSAY_CHECK_OK(TakeMember(*member, kept));
      }
      SkipBlanks();
      if (Peek() == ',') {
        ++at_;
      } else if (Peek() != '}') {
        return Peek() == kNoMore ? OpenEnd() : NoJson();
      }
    }
    ++at_;
    return Keep("}", kept);
  }

  Status TakeMember(const SieveMember& member, std::string& kept) {
    if (!member.is_list || Peek() != '[') return Take(member.members, kept);
    if (std::find(lists_.begin(), lists_.end(), &member) != lists_.end()) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("expected {} once, found it twice", Quoted(member.name))};
    }
    lists_.push_back(&member);
    ASSAY_CHECK_OK(Keep("[]", kept));
    ++at_;
    std::string element;
    while (true) {
      SkipBlanks();
      if (Peek() == ']') break;
      if (Peek() == kNoMore) return OpenEnd();
      element.clear();
      ASSAY_CHECK_OK(Take(member.members, element));
      ASSAY_CHECK_OK(sieve_.visit(element));
      SkipBlanks();
      if (Peek() == ',') {
        ++at_;
      } else if (Peek() != ']') {
        return Peek() == kNoMore ? OpenEnd() : NoJson();
      }
    }
    ++at_;
    return Ok();
  }

  Status NoJson() {
    return Error{ErrorCode::kInvalidInput, fmt::format("expected JSON, found {} in an object or a list",
                                                       Quoted(std::string(1, static_cast<char>(Peek()))))};
  }

  ByteStream& bytes_;
  const Sieve& sieve_;
  std::string_view piece_;
  std::size_t at_ = 0;
  bool has_ended_ = false;
  std::optional<Error> error_;
  std::vector<const SieveMember*> lists_;
};

}  // namespace

Result<std::string> SieveJson(ByteStream& bytes, const Sieve& sieve) { return JsonSieve(bytes, sieve).Run(); }

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
