// The blocks of addresses that are not public. Source: IANA special-purpose address registries (RFC 6890 and
// its updates).
#include "io/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <cstring>

namespace assay {

namespace {

struct Block {
  std::uint32_t network;
  int bits;
};

constexpr std::uint32_t Ip(std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0) {
  return a << 24 | b << 16 | c << 8;
}

constexpr auto kNotPublic = std::to_array<Block>({
    {Ip(0), 8},           // this network
    {Ip(10), 8},          // private
    {Ip(100, 64), 10},    // shared by carriers
    {Ip(127), 8},         // loopback
    {Ip(169, 254), 16},   // link-local, metadata services of clouds
    {Ip(172, 16), 12},    // private
    {Ip(192, 0, 0), 24},  // protocol assignments
    {Ip(192, 168), 16},   // private
    {Ip(198, 18), 15},    // benchmarks
    {Ip(224), 3},         // multicast, reserved, broadcast
});

bool IsPublicV4(std::uint32_t address) {
  for (const Block& block : kNotPublic) {
    if (address >> (32 - block.bits) == block.network >> (32 - block.bits)) return false;
  }
  return true;
}

std::uint32_t V4At(const std::uint8_t* bytes) {
  std::uint32_t address = 0;
  for (int i = 0; i < 4; ++i) address = address << 8 | bytes[i];
  return address;
}

bool IsPublicV6(const std::uint8_t* bytes) {
  constexpr std::array<std::uint8_t, 12> kMapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
  constexpr std::array<std::uint8_t, 12> kTranslated = {0, 0x64, 0xFF, 0x9B};
  if (std::memcmp(bytes, kMapped.data(), kMapped.size()) == 0) return IsPublicV4(V4At(bytes + 12));
  if (std::memcmp(bytes, kTranslated.data(), kTranslated.size()) == 0) return IsPublicV4(V4At(bytes + 12));
  if (bytes[0] == 0x20 && bytes[1] == 0x02) return IsPublicV4(V4At(bytes + 2));  // 6to4
  return (bytes[0] & 0xE0) == 0x20;  // 2000::/3 is all that is given out
}

}  // namespace

bool IsPublicAddress(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    sockaddr_in v4;
    std::memcpy(&v4, &address, sizeof v4);
    return IsPublicV4(ntohl(v4.sin_addr.s_addr));
  }
  if (address.sa_family == AF_INET6) {
    sockaddr_in6 v6;
    std::memcpy(&v6, &address, sizeof v6);
    return IsPublicV6(v6.sin6_addr.s6_addr);
  }
  return false;
}

}  // namespace assay
