// Variants of models that are other things than the model whose name they begin with: they speak, draw or
// listen.
#pragma once

#include <string_view>

namespace assay {

// The part of a name that says so: "-tts", "-image"; "" if there is none.
std::string_view OtherKindIn(std::string_view model);

}  // namespace assay
