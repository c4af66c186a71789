// Helpers for tests of stores: a folder that is removed with its test, and records to be kept.
#pragma once

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "store/store.h"

namespace assay::testing {

class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "assay-store-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  std::string Path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

inline std::unique_ptr<Store> Open(const std::string& path, bool read_only = false) {
  auto store = OpenStore({.path = path, .read_only = read_only});
  REQUIRE(store.has_value());
  return std::move(store).value();
}

inline Exchange Answered(std::string_view question, std::string text, std::uint32_t epoch) {
  Exchange exchange;
  exchange.key = Sha256Of(question);
  exchange.epoch = epoch;
  exchange.request = question;
  exchange.reply =
      ModelReply{.text = std::move(text),
                 .reasoning = {},
                 .tool_calls = {},
                 .finish_reason = "stop",
                 .usage = {.input_tokens = 3, .output_tokens = 5, .reasoning_tokens = 1, .known = true}};
  exchange.usage = std::get<ModelReply>(exchange.reply).usage;
  exchange.finish_reason = "stop";
  exchange.tries = 2;
  return exchange;
}

inline RunRecord MakeRun(std::string id) {
  RunRecord run;
  run.context.run_id = std::move(id);
  run.context.started_ms = 1'700'000'000'123;
  run.context.seed = 0xfedcba9876543210u;
  run.title = "A title";
  run.plan_digest = Sha256Of("plan");
  run.cells = 7;
  return run;
}

inline std::string TextOf(const std::optional<Exchange>& exchange) {
  return exchange ? std::get<ModelReply>(exchange->reply).text : "-";
}

// A sitting on a part of a run, which commits what it is given.
class TestSitting {
 public:
  TestSitting(Store& store, const std::string& run_id, RunPart part = RunPart::kRun)
      : store_(store), id_(store.BeginSitting(run_id, part, 1'000, "test").value()) {}

  std::vector<Exchange> Keep(std::vector<Exchange> exchanges, std::uint64_t sent = 0) {
    return Commit({.exchanges = std::move(exchanges), .sent = sent});
  }
  void Grade(const std::vector<CellResult>& cells) { Commit({.cells = cells}); }
  SittingId id() const { return id_; }
  std::uint64_t commits() const { return commits_; }

 private:
  std::vector<Exchange> Commit(SittingWork work) {
    Result<std::vector<Exchange>> counting = store_.Commit(id_, ++commits_, std::move(work));
    REQUIRE(counting.has_value());
    return *std::move(counting);
  }

  Store& store_;
  SittingId id_;
  std::uint64_t commits_ = 0;
};

}  // namespace assay::testing
