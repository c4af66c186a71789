// What a run leaves beside its store, and by which rules it ends badly: files, and gates.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace assay {

// A file in a format of an exporter.
struct ExportFile {
  std::string format;
  std::string path;
};

// The files of a run.
struct Outputs {
  std::string out;  // "": the folder of the tool that the run is compatible with
  std::string result_detail_path;
  std::string result_summary_path;
  std::string record;  // of its replies
  std::vector<ExportFile> exports = {};
  bool update_summaries = false;
  bool payload = false;  // no files; answers and scores as one line of JSON
};

// By which a run ends well or badly for others.
struct GateOptions {
  std::optional<double> fail_under;
  std::optional<double> pass_rate;      // the least share of cells that pass; absent: the dialect's
  std::optional<int> failed_exit_code;  // in place of ExitCode::kMissed
  std::string fail_on_regression;       // a run; "": no gate
  std::string fail_on_flip;             // likewise
  std::size_t max_flips = 0;
  std::string known_flaky;         // a file; "": none
  double delta = 0;                // how much worse is still as good, in scores
  std::vector<std::string> pairs;  // NEW=BASE
  bool strict_models = false;      // an answer of another model than was asked is an error
  bool early = false;              // a gate ends the run once the cells that are left cannot change it
};

}  // namespace assay
