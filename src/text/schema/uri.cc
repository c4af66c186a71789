// Takes URIs apart, and puts a reference and its base together.
#include "text/schema/uri.h"

#include "base/text/ascii.h"

namespace assay {

namespace {

// The parts of a URI without its fragment; scheme and authority with their signs ("http:", "//e.org").
struct UriParts {
  std::string_view scheme, authority, path, query;
};

std::size_t SchemeLength(std::string_view uri) {
  const std::size_t colon = uri.find(':');
  if (colon == std::string_view::npos || colon == 0 || !IsAsciiAlphanumeric(uri[0])) return 0;
  return uri.substr(0, colon).find_first_of("/?#") == std::string_view::npos ? colon + 1 : 0;
}

UriParts Split(std::string_view uri) {
  UriParts parts;
  const std::size_t query = uri.find('?');
  if (query != std::string_view::npos) {
    parts.query = uri.substr(query);
    uri = uri.substr(0, query);
  }
  parts.scheme = uri.substr(0, SchemeLength(uri));
  uri.remove_prefix(parts.scheme.size());
  if (uri.starts_with("//")) {
    parts.authority = uri.substr(0, uri.find('/', 2));
    uri.remove_prefix(parts.authority.size());
  }
  parts.path = uri;
  return parts;
}

std::string WithoutDots(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const std::size_t end = path.find('/', 1);
    const std::string_view segment = path.substr(0, end);
    path.remove_prefix(segment.size());
    const bool is_last = path.empty();
    if (segment == "/." || segment == ".") {
      if (is_last) out += '/';
    } else if (segment == "/.." || segment == "..") {
      out.resize(out.rfind('/') == std::string::npos ? 0 : out.rfind('/'));
      if (is_last) out += '/';
    } else {
      out += segment;
    }
  }
  return out;
}

std::string Joined(std::string_view scheme, std::string_view authority, std::string_view path,
                   std::string_view query) {
  std::string out(scheme);
  out += authority;
  out += path;
  out += query;
  return out;
}

}  // namespace

SplitUri SplitFragment(std::string_view uri) {
  const std::size_t hash = uri.find('#');
  if (hash == std::string_view::npos) return {uri, {}};
  return {uri.substr(0, hash), uri.substr(hash + 1)};
}

std::string ResolveUri(std::string_view base, std::string_view reference) {
  const UriParts from = Split(base);
  const UriParts to = Split(reference);
  if (!to.scheme.empty()) return Joined(to.scheme, to.authority, WithoutDots(to.path), to.query);
  if (!to.authority.empty()) return Joined(from.scheme, to.authority, WithoutDots(to.path), to.query);
  if (to.path.empty())
    return Joined(from.scheme, from.authority, from.path, to.query.empty() ? from.query : to.query);
  if (to.path.front() == '/') return Joined(from.scheme, from.authority, WithoutDots(to.path), to.query);
  std::string path(from.path.substr(0, from.path.rfind('/') + 1));
  if (path.empty() && !from.authority.empty()) path = "/";
  path += to.path;
  return Joined(from.scheme, from.authority, WithoutDots(path), to.query);
}

}  // namespace assay
