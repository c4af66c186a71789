// Tells which network addresses are public, so that a URL of unknown origin cannot reach into this machine or
// its network. Pure.
#pragma once

struct sockaddr;

namespace assay {

// False for everything that is not plainly on the public internet: loopback, private, link-local, shared
// (RFC 6598), multicast and reserved addresses; IPv6 forms that embed an IPv4 address count as that address;
// families other than IP.
bool IsPublicAddress(const sockaddr& address);

}  // namespace assay
