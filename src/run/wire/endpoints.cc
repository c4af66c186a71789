// Adds keys, headers and addresses to outgoing requests by the rules of trust, and refuses requests that
// these forbid.
#include "run/wire/endpoints.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/errors/diagnostics.h"
#include "base/text/ascii.h"
#include "base/text/shell_words.h"
#include "base/wire/url.h"
#include "checks/service/call.h"
#include "providers/provider.h"

namespace assay {

namespace {

// `base_url` is the request's: empty for the provider's own, else where the user said it is, or a URL that
// only a suite names, which has no endpoint and gets no key.
Status AddKey(const Endpoints& endpoints, std::string_view provider, std::string_view base_url,
              HttpRequest& wire) {
  const ProviderRow* row = FindProvider(provider);
  if (row == nullptr || row->key.need == KeyRule::Need::kNone) return Ok();
  const Endpoint* endpoint = endpoints.Find(provider, base_url);
  const bool has_key = endpoint != nullptr && !endpoint->key.empty();
  if (endpoint != nullptr && endpoint->aws) return Ok();  // it is signed (Wire::Sign)
  if (!has_key && endpoint != nullptr && !endpoint->key_problem.empty())
    return Error{ErrorCode::kRefused, fmt::format("{} cannot be asked: {}", provider, endpoint->key_problem)};
  if (!has_key && base_url.empty() && row->key.need == KeyRule::Need::kRequired) {
    return Error{ErrorCode::kRefused,
                 fmt::format("{} cannot be asked: {} is not set", provider,
                             row->key.variables.substr(0, row->key.variables.find(' ')))};
  }
  if (!has_key && endpoint != nullptr && !endpoint->key_variable.empty()) {
    return Error{ErrorCode::kRefused,
                 fmt::format("{} cannot be asked: {} is not set, which was to hold the key",
                             endpoint->base_url, endpoint->key_variable)};
  }
  if (!has_key) return Ok();
  wire.headers.push_back(
      {std::string(row->key.header), fmt::format("{}{}", row->key.prefix, endpoint->key.Reveal())});
  return Ok();
}

// A text with its ${NAME}s replaced by what the user granted.
Result<std::string> Expanded(const Endpoints& endpoints, std::string_view text) {
  std::string expanded;
  while (true) {
    const std::size_t open = text.find("${");
    const std::size_t close = open == std::string_view::npos ? open : text.find('}', open);
    if (close == std::string_view::npos) break;
    const std::string_view name = text.substr(open + 2, close - open - 2);
    const auto granted = endpoints.environment.find(name);
    if (granted == endpoints.environment.end()) {
      return Error{
          ErrorCode::kRefused,
          fmt::format("the suite asks for {} of the environment; set it and allow it with --allow-env {}",
                      Quoted(name), name)};
    }
    expanded += text.substr(0, open);
    expanded += granted->second.Reveal();
    text.remove_prefix(close + 1);
  }
  expanded += text;
  return expanded;
}

// Letters, digits and the marks that HTTP allows: whatever else a suite writes there could end the header.
bool IsHeaderName(std::string_view name) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  const auto may_stand = [&](char c) {
    const bool is_letter = IsAsciiLetter(c);
    return is_letter || (c >= '0' && c <= '9') || kMarks.find(c) != std::string_view::npos;
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), may_stand);
}

bool IsOneLine(std::string_view text) { return text.find_first_of("\r\n") == std::string_view::npos; }

// Names of headers are the same in capitals and in small letters.
bool SameName(std::string_view a, std::string_view b) {
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return small(x) == small(y); });
}

Status AddCustomHeaders(const Value& custom, HttpRequest& wire) {
  for (const Member& member : custom.MapAt("headers")) {
    if (!member.value.is_string() || !IsOneLine(member.key)) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("header {} of the custom model: expected a text", Quoted(member.key))};
    }
    // The suite's word comes before what the protocol sends by itself.
    std::erase_if(wire.headers, [&](const HttpHeader& header) { return SameName(header.name, member.key); });
    wire.headers.push_back({member.key, member.value.AsString()});
  }
  return Ok();
}

// A request whose URL a suite names.
Status Restrict(const Endpoints& endpoints, HttpRequest& wire) {
  for (HttpHeader& header : wire.headers) {
    ASSAY_TRY(header.value, Expanded(endpoints, header.value));
    if (!IsHeaderName(header.name)) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("expected the name of a header, found {}", Quoted(header.name))};
    }
    if (!IsOneLine(header.value))
      return Error{ErrorCode::kInvalidInput, fmt::format("header {} has a line break", Quoted(header.name))};
  }
  const std::string_view host = HostOf(wire.url);
  const bool is_granted =
      std::find(endpoints.hosts.begin(), endpoints.hosts.end(), host) != endpoints.hosts.end();
  const bool is_search =
      !endpoints.search_url.empty() && wire.url.starts_with(endpoints.search_url + "/search?");
  wire.reach = is_granted || is_search ? Reach::kAnywhere : Reach::kPublic;
  return Ok();
}

// The user says where facts are checked, and the token goes nowhere else.
Status AddressFactcheck(const Endpoints& endpoints, HttpRequest& wire) {
  const Endpoint& service = endpoints.factcheck;
  if (service.key.empty()) {
    return Error{ErrorCode::kRefused, "nobody checks facts: BACKGROUND_FUNCTION_AUTH_TOKEN is not set"};
  }
  std::string_view base = service.base_url;
  while (base.ends_with('/')) base.remove_suffix(1);
  wire.url.replace(0, kFactcheckScheme.size(), base);
  wire.headers.push_back({"x-background-function-auth-token", std::string(service.key.Reveal())});
  return Ok();
}

// A name that a folder gives somebody is no leave to ask him, under whatever provider's name.
Status CheckTrusted(const Endpoints& endpoints, const std::string& provider, const std::string& base_url) {
  const bool is_of_folder = std::any_of(endpoints.untrusted.begin(), endpoints.untrusted.end(),
                                        [&](const auto& place) { return place.second == base_url; });
  if (!is_of_folder || endpoints.Find(provider, base_url) != nullptr) return Ok();
  return Error{ErrorCode::kRefused,
               fmt::format("only ./assay.toml names the address of {}, and nobody has trusted it; "
                           "`assay trust` does",
                           Quoted(provider))};
}

}  // namespace

const Endpoint* Endpoints::Find(std::string_view provider, std::string_view base_url) const {
  if (!base_url.empty()) {
    const auto own = named.find({std::string(provider), std::string(base_url)});
    if (own != named.end()) return &own->second;
  }
  const auto found = providers.find(provider);
  if (found == providers.end()) return nullptr;
  return base_url.empty() || base_url == found->second.base_url ? &found->second : nullptr;
}

Endpoint* Endpoints::Find(std::string_view provider, std::string_view base_url) {
  return const_cast<Endpoint*>(std::as_const(*this).Find(provider, base_url));
}

bool Endpoint::HasOtherKey(TimePoint sent_at, TimePoint now) {
  if (renewed_at && sent_at <= *renewed_at) return true;
  if (!read_key) return false;
  Result<Secret> again = read_key();
  if (!again || again->Reveal() == key.Reveal()) return false;
  key = *std::move(again);
  renewed_at = now;
  return true;
}

Status Endpoints::MayAsk(std::string_view provider, std::string_view model) const {
  const ProviderRow* row = FindProvider(provider);
  if (row == nullptr || row->route != Route::kProgram) return Ok();
  const Result<std::vector<std::string>> words = SplitWords(model);
  if (words && std::find(programs.begin(), programs.end(), *words) != programs.end()) return Ok();
  return Error{ErrorCode::kRefused,
               fmt::format("the suite would start the program {}, which is not allowed; to allow it: "
                           "--allow-exec {}",
                           Quoted(model), QuoteWord(model))};
}

Status Authorise(const Endpoints& endpoints, const Request& request, HttpRequest& wire) {
  const auto* model = std::get_if<ModelRequest>(&request);
  const Endpoint* endpoint = model == nullptr ? nullptr : endpoints.Find(model->provider, model->base_url);
  if (wire.timeout.count() == 0 && endpoint != nullptr && endpoint->patience.timeout)
    wire.timeout = *endpoint->patience.timeout;
  if (wire.timeout.count() == 0) wire.timeout = endpoints.timeout;
  if (model != nullptr) {
    if (model->custom.is_undefined()) {
      ASSAY_CHECK_OK(CheckTrusted(endpoints, model->provider, model->base_url));
      ASSAY_CHECK_OK(endpoints.MayAsk(model->provider, model->model));
      return AddKey(endpoints, model->provider, model->base_url, wire);
    }
    ASSAY_CHECK_OK(AddCustomHeaders(model->custom, wire));
    return Restrict(endpoints, wire);
  }
  if (const auto* embed = std::get_if<EmbedRequest>(&request)) {
    ASSAY_CHECK_OK(CheckTrusted(endpoints, embed->provider, embed->base_url));
    return AddKey(endpoints, embed->provider, embed->base_url, wire);
  }
  if (wire.url.starts_with(kFactcheckScheme)) return AddressFactcheck(endpoints, wire);
  return Restrict(endpoints, wire);
}

}  // namespace assay
