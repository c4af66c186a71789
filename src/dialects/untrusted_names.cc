// Words the warning about untrusted aliases.
#include "dialects/untrusted_names.h"

#include <fmt/core.h>

#include "base/wire/url.h"

namespace assay {

void WarnOfUntrusted(std::string_view name, const ModelAlias& alias, Span where, Diagnostics& diagnostics) {
  if (!alias.untrusted) return;
  std::string place;
  if (!alias.base_url.empty()) place = fmt::format(" at {}", Quoted(HostOf(alias.base_url)));
  diagnostics.Warning("settings.untrusted",
                      fmt::format("the model alias {} means {}{}, as {} says, and nobody has trusted that",
                                  Quoted(name), Quoted(alias.model), place, alias.origin),
                      where, "`assay trust` lists what needs trust, and trusts it");
}

}  // namespace assay
