// Looking for keys.
#include "engine/network/provider_keys.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "text/javascript/text.h"

namespace assay {

namespace {

// Without the blanks and line ends that came along when it was pasted.
std::string TextIn(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::string() : std::string(JsTrim(value));
}

std::string RegionOfUser() {
  std::string region = TextIn("AWS_REGION");
  return region.empty() ? TextIn("AWS_DEFAULT_REGION") : region;
}

}  // namespace

std::string SetKeyOf(const ProviderRow& provider) {
  std::string_view names = provider.key.variables;
  while (!names.empty()) {
    std::string name(names.substr(0, names.find(' ')));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    if (!TextIn(name).empty()) return name;
  }
  return ReadAwsKeys(provider.aws) ? std::string(kAwsSecret) : std::string();
}

std::optional<AwsKeys> ReadAwsKeys(const AwsService& service) {
  AwsKeys keys{.key_id = TextIn("AWS_ACCESS_KEY_ID"),
               .secret = Secret(TextIn(std::string(kAwsSecret))),
               .session = Secret(TextIn(std::string(kAwsSession))),
               .region = RegionOfUser(),
               .service = std::string(service.service)};
  if (service.service.empty() || keys.key_id.empty() || keys.secret.empty()) return std::nullopt;
  return keys;
}

std::string UrlOfRegion(const AwsService& service) {
  const std::string region = service.service.empty() ? std::string() : RegionOfUser();
  return region.empty() ? region : fmt::format(fmt::runtime(service.url_of_region), region);
}

std::string ModelOfSetKeys() {
  for (const ProviderRow& row : ProviderTable()) {
    // Where only the user can know the address, no example can be asked.
    const bool is_enough = row.key.need == KeyRule::Need::kRequired && !row.base_url.empty();
    if (is_enough && !SetKeyOf(row).empty()) return std::string(row.example);
  }
  return {};
}

}  // namespace assay
