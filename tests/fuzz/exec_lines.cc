// What programs of exec: may say: each line is read as the protocol says, all of them as one turn's reply.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/errors/assert.h"
#include "providers/codecs/exec.h"
#include "providers/provider.h"
#include "tests/fuzz/target.h"

FUZZ_TARGET(exec_lines)(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const assay::ProgramLine line = assay::ExecProtocol().read(text.substr(start, end - start));
    ASSAY_ASSERT((line.kind == assay::LineKind::kBroken) != line.problem.empty());
    start = end + 1;
  }
  assay::HttpReply reply;
  reply.status = 200;
  reply.body = text;
  const assay::Result<assay::ModelReply> decoded = assay::FindProvider("exec")->decode(reply);
  ASSAY_ASSERT(decoded ? !decoded->text.empty() : !decoded.error().message.empty());
  return 0;
}
