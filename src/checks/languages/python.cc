// The language row of Python: each program runs in an empty namespace under a frame of ours, as InfiBench's
// does, so that `__name__` is not "__main__" and leaving early is a failure.
#include "checks/code/code_blocks.h"
#include "checks/languages/imports.h"
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kPythonAccepted[] = {"python"};

// Pinned by the format: the bytes that every program begins with.
constexpr std::string_view kPythonHeader =
    "import math\nimport re\nimport sys\nimport copy\nimport datetime\nimport itertools\n"
    "import collections\nimport heapq\nimport statistics\nimport functools\nimport hashlib\nimport numpy\n"
    "import numpy as np\nimport pandas as pd\nimport string\nimport requests\nimport openpyxl\n"
    "import xlsxwriter\nimport yolk\nfrom typing import *\nfrom collections import *\n";

constexpr std::string_view kPythonFrame = R"py(import os
import sys

with open("assay_program.py", encoding="utf-8", newline="") as file:
    program = file.read()
try:
    exec(compile(program, "<string>", "exec", dont_inherit=True), {})
except BaseException as error:
    try:
        sys.stdout.flush()
    except BaseException:
        pass
    try:
        text = f"failed: {type(error)} {error}"
    except BaseException:
        text = f"failed: {type(error)} "
    os.write(2, b"\x1e" + text.encode("utf-8", "backslashreplace"))
    os._exit(1)
)py";

constexpr SupportFile kPythonSupport[] = {{"assay_main.py", kPythonFrame}};
constexpr std::string_view kPythonArgv[] = {"python3", "assay_main.py"};
constexpr std::string_view kPythonStops[] = {"\nclass", "\ndef", "\n#", "\n@", "\nprint", "\nif", "\nassert"};

// The lines before the first one that starts something at the left margin.
std::string PythonBareCode(std::string text) {
  text = CutAtFirst(std::move(text), kPythonStops);
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = std::string_view(text).substr(start, end - start);
    if (!StripSpace(line).empty() && line.front() != ' ' && line.front() != '\t') {
      text.resize(start == 0 ? 0 : start - 1);
      return text;
    }
    start = end + 1;
  }
  return text;
}

// `from __future__` has to come first.
std::string HoistFutures(std::string_view program) {
  std::string futures;
  std::string rest;
  for (std::size_t start = 0; start <= program.size();) {
    const std::size_t end = std::min(program.find('\n', start), program.size());
    const std::string_view line = program.substr(start, end - start);
    std::string& part = line.starts_with("from __future__") ? futures : rest;
    part += line;
    part += '\n';
    start = end + 1;
  }
  std::string joined = futures + rest;
  joined.pop_back();
  return joined;
}

// The first parts of the names in `import a.b as c, d` and `from a.b import c`.
std::vector<std::string> PythonImports(std::string_view program) {
  std::vector<std::string> names;
  for (std::size_t start = 0; start <= program.size();) {
    const std::size_t end = std::min(program.find('\n', start), program.size());
    std::string_view line = StripSpace(program.substr(start, end - start));
    start = end + 1;
    const bool is_list = line.starts_with("import ");
    if (!is_list && !line.starts_with("from ")) continue;
    line.remove_prefix(line.find(' ') + 1);
    while (!line.empty()) {
      const std::size_t comma = is_list ? std::min(line.find(','), line.size()) : line.size();
      const std::string_view name = StripSpace(line.substr(0, comma));
      AddPackage(name.substr(0, name.find_first_of(". \t;#")), names);
      line.remove_prefix(std::min(comma + 1, line.size()));
    }
  }
  return names;
}

std::string FindPythonAbsent(std::span<const std::string> names) {
  return "import importlib.util\nfor name in [" + QuotedNames(names) +
         "]:\n    if importlib.util.find_spec(name) is None:\n        print(name)\n";
}

std::string PythonAssemble(std::string_view header, std::string body) {
  const std::string program = std::string(header) + body;
  return HoistFutures(StripSpace(program));
}

constexpr std::string_view kNumpyLines[] = {"import numpy", "import numpy as np"};
constexpr std::string_view kNumpyWords[] = {"numpy", "np"};
constexpr std::string_view kNumpySigns[] = {"No module named 'numpy'", "name 'numpy' is not defined",
                                            "name 'np' is not defined"};
constexpr std::string_view kPandasLines[] = {"import pandas as pd"};
constexpr std::string_view kPandasWords[] = {"pandas", "pd"};
constexpr std::string_view kPandasSigns[] = {"No module named 'pandas'", "name 'pd' is not defined"};
constexpr std::string_view kRequestsLines[] = {"import requests"};
constexpr std::string_view kRequestsWords[] = {"requests"};
constexpr std::string_view kRequestsSigns[] = {"No module named 'requests'",
                                               "name 'requests' is not defined"};
constexpr std::string_view kOpenpyxlLines[] = {"import openpyxl"};
constexpr std::string_view kOpenpyxlWords[] = {"openpyxl"};
constexpr std::string_view kOpenpyxlSigns[] = {"No module named 'openpyxl'", "name 'openpyxl' is not defined",
                                               "optional dependency 'openpyxl'"};
constexpr std::string_view kXlsxwriterLines[] = {"import xlsxwriter"};
constexpr std::string_view kXlsxwriterWords[] = {"xlsxwriter"};
constexpr std::string_view kXlsxwriterSigns[] = {
    "No module named 'xlsxwriter'", "name 'xlsxwriter' is not defined", "optional dependency 'xlsxwriter'"};
constexpr std::string_view kYolkLines[] = {"import yolk"};
constexpr std::string_view kYolkWords[] = {"yolk"};
constexpr std::string_view kYolkSigns[] = {"No module named 'yolk'", "name 'yolk' is not defined"};
constexpr InjectedPackage kPythonInjected[] = {
    {"numpy", kNumpyLines, kNumpyWords, "apt-get install python3-numpy", kNumpySigns},
    {"pandas", kPandasLines, kPandasWords, "apt-get install python3-pandas", kPandasSigns},
    {"requests", kRequestsLines, kRequestsWords, "apt-get install python3-requests", kRequestsSigns},
    {"openpyxl", kOpenpyxlLines, kOpenpyxlWords, "apt-get install python3-openpyxl", kOpenpyxlSigns},
    {"xlsxwriter", kXlsxwriterLines, kXlsxwriterWords, "apt-get install python3-xlsxwriter",
     kXlsxwriterSigns},
    {"yolk", kYolkLines, kYolkWords, "pip install yolk", kYolkSigns},
};

}  // namespace

constexpr LanguageRow kPythonRow{
    .name = "python",
    .toolchain = "python",
    .accepted = kPythonAccepted,
    .help = "python3 with numpy, pandas, requests, openpyxl, xlsxwriter and yolk",
    .timeout = std::chrono::seconds(10),
    .file = "assay_program.py",
    .support = kPythonSupport,
    .argv = kPythonArgv,
    .result_text = ResultText::kException,
    .header = kPythonHeader,
    .injected = kPythonInjected,
    .starts_warm = true,
    .epilogue_file = "assay_main.py",
    .epilogue = "try:\n    os.write(3, b\"@NONCE@\")\nexcept OSError:\n    pass\n",
    .bare_code = PythonBareCode,
    .assemble = PythonAssemble,
    .imports = PythonImports,
    .find_absent = FindPythonAbsent,
};

}  // namespace assay
