// JSON written piece by piece into a Sink, for files that must never be held as a whole. The bytes are those
// of JSON.stringify over the same tree.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sink.h"
#include "text/json/json.h"
#include "text/value.h"

namespace assay {

// Calls nest as the document does. The first failure of the sink is kept, and everything after it is dropped:
// long loops ask `status` now and then, and Finish tells at the latest. One thread.
class JsonStream {
 public:
  // The sink's file is open already and is closed by the caller. Styles: kJavaScript, kJavaScript2.
  JsonStream(Sink& sink, JsonStyle style) : sink_(sink), style_(style) {}

  void OpenMap() { Open('{', '}'); }
  void OpenList() { Open('[', ']'); }
  void Close();  // the innermost open map or list
  void Key(std::string_view key);
  void Write(const Value& value);  // one whole value
  void WriteText(std::string_view text);
  // Key and value; nothing if the value is undefined.
  void Member(std::string_view key, const Value& value);

  const Status& status() const { return status_; }
  // Every map and list must be closed. Hands the last bytes to the sink.
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
  bool after_key_ = false;
};

}  // namespace assay
