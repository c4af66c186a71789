// ServedBy: what a service's reply says of who answered.
#pragma once

#include <string>

namespace assay {

struct ServedBy {
  std::string asked;        // whom the request named: "openai:gpt-4o"
  std::string model;        // as the reply names it; "": it does not
  std::string fingerprint;  // of the system behind the name; "": none
  std::string via;          // of a broker: whose machines answered; "": not said
  bool is_other = false;    // the names are those of two models

  bool empty() const { return model.empty() && fingerprint.empty() && via.empty(); }
  friend bool operator==(const ServedBy&, const ServedBy&) = default;
};

}  // namespace assay
