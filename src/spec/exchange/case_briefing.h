// CaseBriefing: what a program under test is told of its case beside the messages; never what is expected.
#pragma once

#include <string>
#include <vector>

namespace assay {

struct BriefedDocument {
  std::string id;
  std::string title;
  std::string url;
  std::string path;  // of the local copy; "": there is none
};

struct CaseBriefing {
  std::string question;  // in the case's own words
  std::vector<BriefedDocument> documents;
  std::string case_id;
  std::vector<std::string> tags;
};

}  // namespace assay
