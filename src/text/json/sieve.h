// Reads a JSON text piece by piece and keeps the members that are wanted of it, so that a long text never is
// in memory as a whole.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/errors/result.h"
#include "base/files/byte_source.h"

namespace assay {

// A member that is kept.
struct SieveMember {
  std::string_view name;                      // as it is written, without escapes
  std::span<const SieveMember> members = {};  // of an object, or of the objects of a list; empty: all of it
  bool is_list = false;  // the elements of the list go to the visitor one by one, and [] stays in its place
};

struct Sieve {
  std::span<const SieveMember> members = {};  // of the outermost object; empty: all of them
  std::size_t bytes_max = 0;                  // of what is kept, and of each element
  std::function<Status(std::string_view element)> visit = {};
};

// What is kept, as JSON, if the text is JSON: looks at brackets, quotes and commas only, so that parts that
// are none are found when they are read, and those that are left out never are. kInvalidInput: a bracket or a
// quote is open, something follows the text, or a list stands twice. kLimit: bytes_max. Also what `bytes` and
// `visit` give.
Result<std::string> SieveJson(ByteStream& bytes, const Sieve& sieve);

// How many values a JSON text has at most, keys left out: what it takes to know before it is read.
std::size_t JsonValuesMost(std::string_view text);

}  // namespace assay
