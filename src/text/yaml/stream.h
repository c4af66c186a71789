// YamlStream: libyaml's event parser behind our own types; stream.cc is the only file that includes libyaml.
// Places are bytes of the original text.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/errors/diagnostics.h"
#include "text/yaml/source.h"

namespace assay {

enum class YamlEventKind {
  kDocumentStart,
  kDocumentEnd,
  kAlias,
  kScalar,
  kListStart,
  kListEnd,
  kMapStart,
  kMapEnd,
  kStreamEnd,
  kProblem,  // nothing follows; see Problem()
};

struct YamlEvent {
  YamlEventKind kind = YamlEventKind::kStreamEnd;
  Span span;
  std::string text;    // a scalar's text, unescaped, stand-ins not yet restored
  std::string anchor;  // "" if none; an alias's name
  std::string tag;     // in full form, "" if none, "!" for the non-specific tag
  YamlStyle style = YamlStyle::kPlain;
  bool implicit = false;  // the rules decide the type: a plain scalar without tag, or any with "!"
  bool flow = false;      // a collection in brackets or braces
  std::size_t index = 0;  // where it starts, in code points
};

// What libyaml refuses and the owners of the formats take, so that the text can be shown in another way.
enum class YamlRepair {
  kNone,
  kBlankTab,  // a tab as white space between tokens
  kTextTab,   // a tab as the first character of a literal block
  kColon,     // a ":" right before a bracket or comma ends a key
  kDocument,  // a document behind "..." begins without "---"
  kAnchor,    // an anchor's name has other characters than letters, digits, "-" and "_"
  kTextMark,  // a ":" or "?" between brackets begins a text: [:symbol, ?maybe]
};

// What libyaml could not read, in our words.
struct YamlProblem {
  Diagnostic diagnostic;
  std::size_t index = 0;  // code points; where a repair begins
  YamlRepair repair = YamlRepair::kNone;
};

class YamlStream {
 public:
  // `source` must outlive the stream and not change.
  explicit YamlStream(const YamlSource& source);
  ~YamlStream();
  YamlStream(const YamlStream&) = delete;
  YamlStream& operator=(const YamlStream&) = delete;

  // Replaces `event` by the next one. After kStreamEnd or kProblem it stays the same.
  void Next(YamlEvent& event);
  const YamlProblem& Problem() const { return problem_; }

 private:
  struct Parser;
  void SetProblem();
  bool ReadsAnchorAsMeant(const YamlEvent& event);

  const YamlSource& source_;
  std::unique_ptr<Parser> parser_;
  YamlProblem problem_;
  bool ended_ = false;
};

}  // namespace assay
