// How a run of several shards is handed to a cluster's engine: the scripts and the commands, as text. Pure:
// nothing is written or started here. One file and one row of table.cc for each engine. docs/cluster.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors/result.h"

namespace assay {

// A file of the user's that changes what is handed over.
struct ClusterPatch {
  std::string file;  // as the user named it
  std::string text;
  std::string problem = {};  // why it cannot be read; "": it was
};

// What is handed over. Nothing of it is secret: engines keep scripts and words in clear.
struct ClusterJob {
  std::string run;  // its id
  std::int64_t shards = 1;
  std::string program;             // absolute
  std::vector<std::string> shard;  // words after the program, of every shard; the engine adds which it is
  std::vector<std::string> fold;   // likewise, of the report
  std::string folder;              // where both are started; absolute
  std::string scripts;             // where scripts and logs stay; absolute
  std::vector<std::pair<std::string, std::string>> environment;  // names and what they say
  std::vector<std::string> setup;                                // lines of a shell, before assay
  std::vector<std::string> arguments;                            // of the engine: --cluster-arg
  std::vector<ClusterPatch> patches = {};                        // files that arguments name
  std::string version;                                           // of assay
  bool waits = false;                                            // for the report
};

struct ClusterFile {
  std::string name;  // below ClusterJob::scripts
  std::string text;
};

// A command that hands something over; the first line that it prints holds an id.
struct ClusterCommand {
  std::string_view what;           // "shards"
  std::vector<std::string> words;  // program first
  std::string after = {};          // an option of it, to which the id of the command before belongs; "": none
};

struct ClusterText {
  std::vector<ClusterFile> files;
  std::vector<ClusterCommand> commands = {};  // in their order
};

struct ClusterRow {
  std::string_view name;     // as --cluster takes it
  std::string_view program;  // that takes what is handed over; "": the user does, and the text is printed
  std::string_view patch;    // the argument that names a ClusterPatch: "patch="; "": none does
  std::string_view next;     // what the user does with what is printed
  // "": it can be handed over; else what cannot, and what to do. It is asked before the run is begun, and
  // again with the run's real id, which may come from a store.
  std::string (*problem)(const ClusterJob& job);
  ClusterText (*text)(const ClusterJob& job);
};

std::span<const ClusterRow> ClusterTable();
const ClusterRow* FindCluster(std::string_view name);  // null if there is none

// The words of a command behind one that printed this id.
std::vector<std::string> WordsAfter(const ClusterCommand& command, std::string_view id);
// "1234" of "1234;cluster\n".
std::string IdOfPrinted(std::string_view printed);

// What is wrong with the run's id, which stands in scripts and in names of jobs; "": nothing.
std::string RunProblem(const ClusterJob& job);         // table.cc
std::string SlurmProblem(const ClusterJob& job);       // slurm.cc
ClusterText SlurmText(const ClusterJob& job);          // slurm.cc
std::string KubernetesProblem(const ClusterJob& job);  // kubernetes.cc
ClusterText KubernetesText(const ClusterJob& job);     // kubernetes.cc
std::string ScriptProblem(const ClusterJob& job);      // script.cc
ClusterText ScriptText(const ClusterJob& job);         // script.cc

}  // namespace assay
