// The paths of the certificate file in the common distributions, in the order in which they are tried.
#include "io/http/authorities.h"

#include <unistd.h>

namespace assay {

namespace {

constexpr const char* kPlaces[] = {
    "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Ubuntu, Arch, Alpine, Gentoo, NixOS
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Fedora, RHEL and what is built from it
    "/etc/pki/tls/certs/ca-bundle.crt",                   // their older releases
    "/var/lib/ca-certificates/ca-bundle.pem",             // openSUSE, SLES
    "/etc/ssl/ca-bundle.pem",                             // their older releases
    "/etc/ssl/cert.pem",                                  // Alpine, Void
};

}  // namespace

std::string AuthoritiesFile() {
  for (const char* place : kPlaces) {
    if (access(place, R_OK) == 0) return place;
  }
  return "";
}

}  // namespace assay
