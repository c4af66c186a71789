// What a store's location says: a path, or the address of a server.
#pragma once

#include <string>
#include <string_view>

#include "base/errors/error.h"

namespace assay {

// "postgresql" of "postgresql://host/runs"; "" of a path.
std::string_view StoreScheme(std::string_view location);
inline bool IsServer(std::string_view location) { return !StoreScheme(location).empty(); }
// Whether there may be a store: a file is there, or it is a server's word.
bool MayBeThere(const std::string& location);

// "host=… password=…", as libpq takes it: no location of ours, whose password nobody would know to hide.
bool IsKeywordString(std::string_view location);
Error KeywordStringError();  // which repeats nothing of it

// As it may be shown and stored: without the password that an address may hold.
std::string ShownLocation(std::string_view location);
// What a command that is told to a user needs to find this store: " --store URL", without a password; "" of a
// file, which is where he is.
std::string StoreOption(std::string_view location);
bool HasPassword(std::string_view location);

}  // namespace assay
