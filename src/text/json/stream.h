// JsonStream: writes JSON piece by piece into a Sink, for files that must never be held as a whole. The bytes
// are those of JSON.stringify over the same tree.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "base/files/sink.h"
#include "base/files/spool.h"
#include "text/json/json.h"
#include "text/value.h"

namespace assay {

// Calls nest as the document does. The first failure of the sink is kept, and everything after it is dropped:
// long loops ask `status` now and then, and Finish tells at the latest. One thread.
class JsonStream {
 public:
  // The sink's file is open already and is closed by the caller. Styles: kJavaScript, kJavaScript2.
  // With `depth` above 0 it writes members of a map that is open in another stream below as many others, for
  // Splice.
  JsonStream(Sink& sink, JsonStyle style, std::size_t depth = 0)
      : sink_(sink), style_(style), levels_(depth, {'}', true}), depth_(depth) {}

  void OpenMap() { Open('{', '}'); }
  void OpenList() { Open('[', ']'); }
  void Close();  // the innermost open map or list
  void Key(std::string_view key);
  void Write(const Value& value);  // one whole value
  void WriteText(std::string_view text);
  void WriteCompact(std::string_view json);  // one whole value, as kJavaScript writes it
  // Key and value; nothing if the value is undefined.
  void Member(std::string_view key, const Value& value);
  // The same of values that are no tree.
  void Text(std::string_view key, std::string_view text);
  void Number(std::string_view key, double number);
  void Flag(std::string_view key, bool flag);

  // The members of `part`, which was written at the depth of the map that is open here.
  void Splice(const Spool& part);

  const Status& status() const { return status_; }
  // Every map and list that was opened must be closed. Hands the last bytes to the sink.
  Status Finish();

 private:
  struct Level {
    char closing;
    bool empty;
  };

  void Open(char opening, char closing);
  void Element();  // before each value: comma and line break, unless a key stands before it
  void BreakLine();
  void FlushIfLarge();
  void Flush();

  Sink& sink_;
  JsonStyle style_;
  Status status_;
  std::string buffer_;
  std::vector<Level> levels_;
  std::size_t depth_;
  bool after_key_ = false;
};

}  // namespace assay
