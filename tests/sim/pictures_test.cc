// Pictures beside questions: a run that is killed after every commit has, at each of its stops, the bytes of
// whatever its exchanges name, and ends as one that was left alone.
#include <doctest/doctest.h>

#include "base/wire/wire.h"
#include "spec/suite/suite.h"
#include "tests/sim/sim_run.h"

namespace assay::sim {

namespace {

MediaPart Picture(std::string_view what) {
  MediaPart part = *MediaOf(MediaKind::kImage, "\x89PNG\r\n\x1A\n" + std::string(what));
  part.name = std::string(what) + ".png";
  return part;
}

// One picture is shown in every case, another in the first alone.
Suite MakePictures() {
  Suite suite = MakeSuite();
  for (Case& the_case : suite.cases) the_case.turns.front().media.edit() = {Picture("shared")};
  suite.cases.front().turns.front().media.edit().push_back(Picture("own"));
  return suite;
}

// Of the two pictures, how many the store has; and whether it has one for every exchange that names it.
int KeptIn(const std::string& path) {
  auto store = OpenStore({.path = path, .read_only = true});
  REQUIRE(store.has_value());
  int kept = 0;
  for (const MediaPart& part : {Picture("shared"), Picture("own")}) {
    const auto blob = (*store)->BlobOf(part.sha256);
    REQUIRE(blob.has_value());
    if (*blob != nullptr) CHECK((*blob)->bytes == part.blob->bytes);
    kept += *blob == nullptr ? 0 : 1;
    const ExchangeId last = static_cast<ExchangeId>((*store)->Ends()->exchange);
    for (ExchangeId id = 1; id <= last; ++id) {
      const Result<std::string> request = (*store)->RequestOf(id);
      REQUIRE(request.has_value());
      if (request->find(part.sha256) != std::string::npos) CHECK(*blob != nullptr);
    }
  }
  return kept;
}

}  // namespace

TEST_CASE("a run with pictures that is killed after each commit has what its exchanges name") {
  const TempFolder calm;
  const SittingResult expected =
      Sit(calm.Path("store.db"), {.width = 4, .failure_rate = 0, .suite = MakePictures});
  REQUIRE(expected.finished);
  CHECK(KeptIn(calm.Path("store.db")) == 2);
  for (const std::size_t width : {1, 4, 16}) {
    CAPTURE(width);
    const TempFolder folder;
    SittingResult result;
    std::uint64_t sittings = 0;
    do {
      REQUIRE(++sittings < 1000);
      result = Sit(folder.Path("store.db"), {.seed = sittings,
                                             .width = width,
                                             .die_after = 1 + sittings % Stride(kCommitsMost),
                                             .suite = MakePictures});
      KeptIn(folder.Path("store.db"));
    } while (!result.finished);
    CHECK(result.report == expected.report);
    CHECK(KeptIn(folder.Path("store.db")) == 2);
  }
}

}  // namespace assay::sim
