// Tests of marks: their stored form, its bounds, and what a damaged store says.
#include "spec/score/marks.h"

#include <doctest/doctest.h>

#include "spec/score/score.h"

namespace assay {

TEST_CASE("marks survive their stored form; checks without any take no room") {
  AttemptRecord record;
  record.scores.resize(3);
  CHECK(EncodeMarks(record).empty());
  record.scores[0].marks = {{12, 17}};
  record.scores[2].marks = {{40, 44}, {2, 9}};
  CHECK(EncodeMarks(record) == R"({"m":[[0,12,17],[2,40,44,2,9]]})");
  record.scores[1].block = {.rule = BlockRule::kLongestFenced, .parts = {{3, 30}}};
  record.scores[2].block = {.rule = BlockRule::kBare};
  const std::string text = EncodeMarks(record);
  CHECK(text == R"({"m":[[0,12,17],[2,40,44,2,9]],"b":[[1,1,3,30],[2,2]]})");
  AttemptRecord read;
  read.scores.resize(3);
  REQUIRE(DecodeMarks(text, read).has_value());
  for (std::size_t i = 0; i < 3; ++i) CHECK(read.scores[i].marks == record.scores[i].marks);
  CHECK(!read.scores[0].block);
  REQUIRE(read.scores[1].block.has_value());
  CHECK(read.scores[1].block->rule == BlockRule::kLongestFenced);
  CHECK(read.scores[1].block->parts == std::vector<TextRange>{{3, 30}});
  CHECK(read.scores[2].block->parts.empty());
  REQUIRE(DecodeMarks("", read).has_value());
}

TEST_CASE("the evidence of an attempt survives its stored form, also where nothing was assessed") {
  AttemptRecord record;
  record.scores.resize(2);
  record.evidence.emplace();
  CHECK(EncodeMarks(record) == R"({"e":[],"p":[]})");
  AttemptRecord read;
  read.scores.resize(2);
  REQUIRE(DecodeMarks(EncodeMarks(record), read).has_value());
  REQUIRE(read.evidence.has_value());
  CHECK(read.evidence->paths.empty());
  record.scores[0].marks = {{1, 2}};
  record.evidence->paths = {
      {.check = 1, .in_corpus = true, .retrieved = false, .used = true, .read_at = "a \"b\""}};
  record.evidence->passages = {{.document = 2, .kind = PassageKind::kQuoted, .range = {5, 9}}};
  const std::string text = EncodeMarks(record);
  CHECK(text == R"({"m":[[0,1,2]],"e":[[1,1,0,null,1,"","a \"b\""]],"p":[[2,2,5,9]]})");
  REQUIRE(DecodeMarks(text, read).has_value());
  REQUIRE(read.evidence->paths.size() == 1);
  const EvidencePath& path = read.evidence->paths[0];
  CHECK(path.check == 1);
  CHECK(path.in_corpus == true);
  CHECK(path.retrieved == false);
  CHECK(!path.read);
  CHECK(path.used);
  CHECK(path.read_at == "a \"b\"");
  CHECK(read.evidence->passages == record.evidence->passages);
  // An attempt without an answer has evidence, and no scores.
  REQUIRE(DecodeMarks(R"({"e":[[7,1,null,0,1,"",""]],"p":[[0,9,1,2],[0,1,5,4]]})", read).has_value());
  REQUIRE(read.evidence->paths.size() == 1);
  CHECK(read.evidence->paths[0].check == 7);
  CHECK(read.evidence->passages.empty());
  REQUIRE(DecodeMarks(R"({"m":[[0,1,2]]})", read).has_value());
  CHECK(!read.evidence);
}

TEST_CASE("marks are bounded, by check and by attempt") {
  AttemptRecord record;
  record.scores.resize(50);
  for (Score& score : record.scores) {
    for (std::size_t i = 0; i < 300; ++i) AddMark({i, i + 1}, score.marks);
    CHECK(score.marks.size() == limits::kMarksOfCheckMax);
  }
  AttemptRecord read;
  read.scores.resize(50);
  REQUIRE(DecodeMarks(EncodeMarks(record), read).has_value());
  std::size_t count = 0;
  for (const Score& score : read.scores) count += score.marks.size();
  CHECK(count == limits::kMarksOfAttemptMax);
}

TEST_CASE("a range that says nothing, or is there already, is no mark") {
  std::vector<TextRange> marks;
  AddMark({3, 3}, marks);
  AddMark({4, 2}, marks);
  AddMark({4, 6}, marks);
  AddMark({4, 6}, marks);
  CHECK(marks == std::vector<TextRange>{{4, 6}});
}

TEST_CASE("what no assay marks is left out, or an error") {
  AttemptRecord record;
  record.scores.resize(1);
  REQUIRE(DecodeMarks(R"({"m":[[0,-1,5,1e99,2,7,3,8,9],[9,1,2]],"b":[[0,7,1,2]],"later":true})", record)
              .has_value());
  CHECK(record.scores[0].marks == std::vector<TextRange>{{8, 9}});
  CHECK(!record.scores[0].block);
  for (const char* text : {"no JSON", "[]", R"({"m":[3]})", R"({"m":[["x",1,2]]})", R"({"e":[[7,1]]})"}) {
    CAPTURE(text);
    const Status read = DecodeMarks(text, record);
    REQUIRE(!read.has_value());
    CHECK(read.error().code == ErrorCode::kCorrupt);
  }
}

}  // namespace assay
