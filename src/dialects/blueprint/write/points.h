// Writes the scores of one answer as the `pointAssessments` of result files. Source: spec blueprint 12.1,
// 13.5, 21.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "spec/ids.h"
#include "spec/score/score.h"
#include "text/json/stream.h"

namespace assay {
struct Case;
struct Check;
struct Suite;
}  // namespace assay

namespace assay::blueprint {

// The order and the path of each check of a case in result files: functions first, then judged criteria.
struct PointPlace {
  CheckIndex check = 0;
  std::string_view path_id;  // owned by the case; "" outside of alternatives
};
std::vector<PointPlace> PointOrder(const Case& the_case);

// What the attempts of one answer gave one check.
struct PointResult {
  const Score* score = nullptr;  // of the attempt that is shown
  std::optional<double> value;   // mean over the attempts that have one
};

// Writes one entry of `pointAssessments`.
void WritePoint(const Suite& suite, const Check& check, std::string_view path_id, const PointResult& result,
                JsonStream& json);
// The same cut to what core files keep.
void WriteCorePoint(const Check& check, std::string_view path_id, const PointResult& result,
                    JsonStream& json);

}  // namespace assay::blueprint
