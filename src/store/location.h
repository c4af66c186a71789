// What a store's location says: a path, or the address of a server.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/errors/result.h"

namespace assay {

// Whether it is an address: whatever contains "://". No such text names a file.
bool IsServer(std::string_view location);
// Whether there may be a store: a file is there, or it is a server's word.
bool MayBeThere(const std::string& location);

// How long a server may be silent before the user learns its name.
inline constexpr std::chrono::seconds kSlowServerAfter{10};
// Who tells the user which server is waited for, and for how long; of any thread. Set once, before there is a
// store; null: nobody.
using SlowServerTeller = void (*)(const std::string& server, std::chrono::seconds silent);
void TellOfSlowServers(SlowServerTeller tell);
// What was set.
SlowServerTeller WhoTellsOfSlowServers();

// "host=… password=…", as libpq takes it: no location of ours, whose password nobody would know to hide.
bool IsKeywordString(std::string_view location);
// Whether a store may be there: a path, or an address of a kind that there is. The error repeats no password.
Status CheckLocation(std::string_view location);

// As it may be shown and stored: without the password that an address may hold.
std::string ShownLocation(std::string_view location);
// What a command that is told to a user needs to find this store: " --store URL", without a password; "" of a
// file, which is where he is.
std::string StoreOption(std::string_view location);
bool HasPassword(std::string_view location);

}  // namespace assay
