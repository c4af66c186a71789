// Reads JSON with the place of every value, as JSON.parse does, and writes it in the styles of the tools that
// assay is compatible with.
#pragma once

#include <string>
#include <string_view>

#include "base/errors/diagnostics.h"
#include "base/errors/result.h"
#include "text/value.h"

namespace assay {

// Exactly what JSON.parse accepts: no BOM, no comments, the last duplicate key wins (at the first one's
// position), numbers are doubles (1e400 is Infinity), lone surrogate escapes are kept, own-key order is
// JavaScript's. One diagnostic ("json.syntax", "json.limit", "json.encoding") with its place on failure, and
// an undefined value. Spans of strings hold their quotes, those of lists and maps their brackets. Limits:
// kInputFileBytesMax, kJsonDepthMax, kJsonNodesMax.
Value ReadJson(FileId file, std::string_view text, Diagnostics& diagnostics);
// What to do with a key that stands twice in one object, however it is escaped.
enum class RepeatedKeys { kLastWins, kRefuse };
// The same for text without a file (replies, stored records): spans are offsets into `text`, FileId::kNone.
// The Error (kInvalidInput, or kLimit) names line and column, and has such a span.
Result<Value> ParseJson(std::string_view text, RepeatedKeys repeated = RepeatedKeys::kLastWins);

enum class JsonStyle {
  kJavaScript,   // JSON.stringify(v): compact; NaN and Infinity are null; undefined members vanish
  kJavaScript2,  // JSON.stringify(v, null, 2)
  kCanonical,    // json-stable-stringify: compact, keys sorted by UTF-16 code units at every level
};
// Ill-formed bytes of strings become U+FFFD, lone surrogates \udxxx; an undefined value in a list or alone is
// null; a date is its ISO text, binary data a map of index to byte.
std::string WriteJson(const Value& value, JsonStyle style);
void AppendJson(const Value& value, JsonStyle style, std::string& out);
// One JSON string with its quotes, as JSON.stringify escapes it.
void AppendJsonString(std::string_view text, std::string& out);
// A character as the escape of a string: \u202e, or a pair of them beyond U+FFFF.
void AppendJsonEscape(char32_t code_point, std::string& out);

// The value encoding of golden files and of `assay check --json`: JSON, with objects for what it lacks:
// {"__undefined":true}, {"__number":"NaN|Infinity|-Infinity|-0"}, {"__date":"ISO"}, {"__binary":"base64"}.
// Undefined members of maps are omitted. What is no such object, or one with unreadable content, decodes as
// it stands.
std::string WriteEncoded(const Value& value, JsonStyle style);
// The same, compact, with whole numbers of Python apart from others: {"__int":"2"}.
void AppendTyped(const Value& value, std::string& out);
Value DecodeEncoded(const Value& encoded);

}  // namespace assay
