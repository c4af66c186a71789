// Makes the HTML of a model's answer harmless: what is left can be looked at, and reaches no other host.
// Pure, linear in the length of the text.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// Elements for text, tables, lists and boxes with attributes of looks, and style sheets without addresses.
// Everything else goes: links lose their targets, images become their description, and what scripts, frames,
// drawings and media hold is left out. The result is written anew from what was understood, so that a reader
// who understands the text otherwise finds nothing else in it.
std::string SafeHtml(std::string_view html);

}  // namespace assay
