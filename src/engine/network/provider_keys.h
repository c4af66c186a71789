// Which keys of providers the environment has, and the keys of AWS, whose region says where its services are.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "providers/provider.h"
#include "run/wire/signed/aws_signature.h"

namespace assay {

inline constexpr std::string_view kAwsSecret = "AWS_SECRET_ACCESS_KEY";
inline constexpr std::string_view kAwsSession = "AWS_SESSION_TOKEN";

// The first variable of the provider that is set; "" if none is.
std::string SetKeyOf(const ProviderRow& provider);
// The example of the first provider whose set key is enough to ask it; "" without any.
std::string ModelOfSetKeys();

// AWS_ACCESS_KEY_ID and what belongs to it; nothing where it is not set, or the service is none of AWS.
std::optional<AwsKeys> ReadAwsKeys(const AwsService& service);
// Where the service is in the user's region (AWS_REGION); "" if he names none.
std::string UrlOfRegion(const AwsService& service);

}  // namespace assay
