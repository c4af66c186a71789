// Reads single fields of datasets and matrices by the rules that both share.
//   source  asky-cli 14f1a9e, evals/research_pipeline (spec: research, 1 and 2)
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/errors/diagnostics.h"
#include "text/place_of.h"
#include "text/value.h"

namespace assay {
struct KeyPlace;
}  // namespace assay

namespace assay::research {

// One mapping of a file while it is read; problems are told at their places. Borrows everything.
class Fields {
 public:
  // `who` names the mapping in messages: "test \"t1\"".
  Fields(const Value& owner, std::string who, Diagnostics& diagnostics)
      : owner_(owner), who_(std::move(who)), diagnostics_(diagnostics) {}

  const Value* Find(std::string_view key) const { return owner_.Find(key); }
  std::optional<double> NumberAt(std::string_view key) const { return owner_.NumberAt(key); }
  Span PlaceOf(std::string_view key) const { return assay::PlaceOf(owner_, key); }
  const std::string& who() const { return who_; }
  void Rename(std::string who) { who_ = std::move(who); }
  // A text that is not blank, without white space around it; numbers are none. Told if there is none.
  std::optional<std::string> Text(std::string_view key) const;
  // The same, but nothing is told of one that is absent, null or blank.
  std::optional<std::string> OptionalText(std::string_view key) const;
  void Expected(std::string_view key, std::string_view what, std::string_view hint = {}) const;
  void WarnOfUnknown(const KeyPlace& place) const;

 private:
  const Value& owner_;
  std::string who_;
  Diagnostics& diagnostics_;
};

// Whether the id can name a file or folder without leaving its place; told if not.
bool IsFolderName(std::string_view id, std::string_view what, Span where, Diagnostics& diagnostics);

}  // namespace assay::research
