// Recognises by their names models of another kind (speech, image, audio) whose names begin like a text
// model's: the facts of that model do not hold for them.
#pragma once

#include <string_view>

namespace assay {

// The part of a name that says so: "-tts", "-image"; "" if there is none.
std::string_view OtherKindIn(std::string_view model);

}  // namespace assay
