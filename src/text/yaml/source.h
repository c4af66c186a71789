// Prepares a YAML text for libyaml, and maps places and texts back to the file's own bytes.
//
// js-yaml and libyaml disagree about a few characters: three Unicode line breaks are ordinary text to
// js-yaml, some control characters may stand in quotes and comments, and "\ud83d" is an escape. Such
// characters are shown to libyaml as stand-ins (private-use code points that the file does not hold, one for
// one, so that places do not shift) and come back when a scalar is read. A byte order mark is dropped;
// js-yaml's final line break is added; a ":" or "?" between brackets that only begins a text is a stand-in as
// well. A few things that libyaml refuses are shown with characters more, which have no place of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/diagnostics.h"
#include "text/yaml/yaml.h"

namespace assay {

enum class YamlStyle { kPlain, kSingleQuoted, kDoubleQuoted, kBlock };

class YamlSource {
 public:
  // `text` must outlive the source.
  YamlSource(FileId file, std::string_view text, YamlRules rules);

  std::string_view Original() const { return original_; }
  std::string_view Prepared() const { return prepared_; }
  YamlRules Rules() const { return rules_; }

  // The place of libyaml's marks, which count code points of Prepared().
  Span SpanOf(std::size_t first_index, std::size_t end_index) const;
  Span Place(std::uint32_t first_byte, std::uint32_t end_byte) const {
    return {file_, first_byte, end_byte > first_byte ? end_byte - first_byte : 0};
  }

  // The first byte that is no UTF-8, or the first control character that may stand nowhere, as a diagnostic.
  Diagnostic EncodingProblem() const;

  // Puts the characters back that stand-ins stand for. False if the scalar holds a control character that its
  // style does not allow.
  bool Restore(YamlStyle style, std::string& scalar) const;

  // Shows the tab at this code point of Prepared() as a space from now on.
  void HideTab(std::size_t index);
  bool HidesTabs() const { return !hidden_tabs_.empty(); }
  // The first hidden tab of the line that holds `byte`, at or before it.
  const std::uint32_t* HiddenTabBefore(std::uint32_t byte) const;
  // The first hidden tab within the span that has text behind it on its line.
  const std::uint32_t* HiddenTabBeforeTextIn(Span span) const;
  // Shows the tab at this code point as a stand-in from now on: text, not white space.
  void KeepTab(std::size_t index);
  // Each shows what stands at this code point of Prepared() as libyaml takes it: a blank behind a ":" that a
  // bracket or comma follows; "---" before the document behind "..."; another name of an anchor or alias.
  // False: it is something else.
  bool SpaceColon(std::size_t index);
  bool StartDocument(std::size_t index);
  bool RenameAnchor(std::size_t index);
  // Shows the ":" or "?" at this code point as text from now on, and all others that can only be text. False
  // if white space, a bracket or a comma follows: then it is none.
  bool KeepMark(std::size_t index);
  // The name of the anchor or alias at this byte of Original() as js-yaml reads it; "" for anything else, and
  // under other rules.
  std::string_view AnchorAt(std::uint32_t byte) const;
  // The name that an anchor of Prepared() has in the file.
  const std::string& AnchorName(const std::string& shown) const;
  // Shows blanks at line ends as stand-ins; for the text of one quoted scalar only.
  void KeepTrailingBlanks();

 private:
  struct StandIn {
    char32_t shown;
    char32_t meant;
  };

  struct RenamedAnchor {
    std::string meant;
    std::string shown;
  };

  void ReplaceForeign();
  void Insert(std::size_t index, std::string_view ascii);
  const std::string& ShownAnchor(std::string_view meant);
  std::size_t PreparedByteAt(std::size_t index) const;
  bool MayBeginText(std::size_t byte) const;
  char32_t StandInFor(char32_t meant);
  std::uint32_t ByteAt(std::size_t index) const;
  const StandIn* Find(char32_t shown) const;

  FileId file_;
  YamlRules rules_;
  std::string_view original_;
  std::uint32_t start_byte_ = 0;  // after the byte order mark
  std::string prepared_;
  std::vector<std::uint32_t> checkpoints_;  // byte of every kCheckpointStep-th code point; empty for ASCII
  std::vector<StandIn> stand_ins_;
  std::vector<std::uint32_t> hidden_tabs_;  // ascending
  std::vector<std::size_t> inserted_;       // code points of prepared_ that the file does not have, ascending
  std::vector<RenamedAnchor> renamed_anchors_;
};

}  // namespace assay
