// Reads what report.html holds: the bodies that its pages ask for.
#pragma once

#include <map>
#include <string>

namespace assay::testing {

// By path; chunks of cases as "run/ID/case 0-64". Ends the program where one cannot be unpacked.
std::map<std::string, std::string> PageBodies(const std::string& page);
// All of them, one behind the other.
std::string PageText(const std::string& page);

}  // namespace assay::testing
