// Result files of other tools: whatever the bytes, they are read or refused, and what is read can be
// exported.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/files/sink.h"
#include "report/export.h"
#include "report/import/import.h"
#include "report/import/imported_run.h"
#include "tests/fuzz/target.h"

namespace {

class NoSink final : public assay::Sink {
 public:
  assay::Status Open(std::string_view) override { return assay::Ok(); }
  assay::Status Write(std::string_view) override { return assay::Ok(); }
  assay::Status Close() override { return assay::Ok(); }
};

}  // namespace

FUZZ_TARGET(result_file)(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto run = assay::ImportRun(bytes, {.name = "file"});
  if (!run) return 0;
  NoSink sink;
  for (const std::string_view name : {"jsonl", "junit", "check-csv", "inspect"})
    static_cast<void>(assay::Export(*assay::FindExport(name), (*run)->report, {}, "out", sink));
  return 0;
}
