// Characters that Unicode lets every reader leave out: joiners, variation selectors, fillers, tags.
#pragma once

namespace assay {

// Unicode's property Default_Ignorable_Code_Point (version 16). They stand between letters unseen. Some of
// them are no trouble where they are seen to work: a variation selector makes a heart red.
bool IsDefaultIgnorable(char32_t code_point);

}  // namespace assay
