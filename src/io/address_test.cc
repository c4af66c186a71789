// Tests of which network addresses a foreign URL may reach.
#include "io/address.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <string>

namespace assay {

namespace {

bool IsPublic(const std::string& text) {
  sockaddr_storage storage{};
  if (text.find(':') == std::string::npos) {
    auto& v4 = reinterpret_cast<sockaddr_in&>(storage);
    v4.sin_family = AF_INET;
    REQUIRE(inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1);
  } else {
    auto& v6 = reinterpret_cast<sockaddr_in6&>(storage);
    v6.sin6_family = AF_INET6;
    REQUIRE(inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr) == 1);
  }
  return IsPublicAddress(reinterpret_cast<sockaddr&>(storage));
}

}  // namespace

TEST_CASE("public addresses") {
  for (const char* text :
       {"8.8.8.8",         "1.1.1.1",         "9.255.255.255",     "11.0.0.0",       "100.63.255.255",
        "100.128.0.1",     "126.255.255.255", "128.0.0.1",         "169.253.0.1",    "172.15.0.1",
        "172.32.0.1",      "192.167.1.1",     "192.169.1.1",       "198.17.0.1",     "198.20.0.1",
        "223.255.255.255", "2606:4700::1111", "2a00:1450:4001::1", "::ffff:8.8.8.8", "64:ff9b::808:808",
        "2002:808:808::1"}) {
    CAPTURE(text);
    CHECK(IsPublic(text));
  }
}

TEST_CASE("addresses of this machine, of its network and of nobody") {
  for (const char* text : {"0.0.0.0",
                           "10.0.0.1",
                           "100.64.0.1",
                           "100.127.255.255",
                           "127.0.0.1",
                           "127.255.255.254",
                           "169.254.169.254",
                           "172.16.0.1",
                           "172.31.255.255",
                           "192.0.0.8",
                           "192.168.0.1",
                           "198.18.0.1",
                           "198.19.255.255",
                           "224.0.0.1",
                           "240.0.0.1",
                           "255.255.255.255",
                           "::",
                           "::1",
                           "fc00::1",
                           "fd12::1",
                           "fe80::1",
                           "ff02::1",
                           "::ffff:127.0.0.1",
                           "::ffff:169.254.169.254",
                           "64:ff9b::7f00:1",
                           "2002:7f00:1::1"}) {
    CAPTURE(text);
    CHECK(!IsPublic(text));
  }
}

TEST_CASE("what is no IP address is not public") {
  sockaddr_un local{};
  local.sun_family = AF_UNIX;
  CHECK(!IsPublicAddress(reinterpret_cast<sockaddr&>(local)));
}

}  // namespace assay
