// Tests of how many cores a process counts on, by what its system says.
#include "engine/cores.h"

#include <doctest/doctest.h>

#include <map>

namespace assay {
namespace {

TEST_CASE("the least of affinity, control groups and Slurm") {
  using Files = std::map<std::string, std::string>;
  struct Row {
    const char* what;
    std::string cgroups;
    Files files;
    std::string_view slurm;
    std::size_t want;
  };
  const std::string deep = "/sys/fs/cgroup/a/b";
  const Row rows[] = {
      {"nothing is said", "", {}, "", 8},
      {"no quota", "0::/a/b\n", {{deep + "/cpu.max", "max 100000\n"}}, "", 8},
      {"a quota of its own", "0::/a/b\n", {{deep + "/cpu.max", "250000 100000\n"}}, "", 3},
      {"one above it", "0::/a/b\n", {{"/sys/fs/cgroup/a/cpu.max", "100000 100000\n"}}, "", 1},
      {"of the topmost group", "0::/\n", {{"/sys/fs/cgroup/cpu.max", "400000 100000\n"}}, "", 4},
      {"less than a core", "0::/\n", {{"/sys/fs/cgroup/cpu.max", "20000 100000\n"}}, "", 1},
      {"more than there are", "0::/\n", {{"/sys/fs/cgroup/cpu.max", "9900000 100000\n"}}, "", 8},
      {"an older kind",
       "4:memory:/x\n3:cpu,cpuacct:/a\n",
       {{"/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "200000\n"},
        {"/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n"}},
       "",
       2},
      {"an older kind without one",
       "3:cpu,cpuacct:/a\n",
       {{"/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "-1\n"},
        {"/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n"}},
       "",
       8},
      {"Slurm gave less", "0::/\n", {}, "2", 2},
      {"Slurm gave more", "", {}, "64", 8},
      {"nonsense", "x\n::\n0:\n", {}, "0", 1},
      {"no number", "", {}, "2(x3)", 8},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const auto read = [&row](const std::string& path) {
      const auto file = row.files.find(path);
      return file == row.files.end() ? std::string() : file->second;
    };
    CHECK(CoresOf({.usable = 8, .cgroups = row.cgroups, .read = read, .slurm = row.slurm}) == row.want);
  }
}

TEST_CASE("there is at least one core here") { CHECK(Cores() >= 1); }

}  // namespace
}  // namespace assay
