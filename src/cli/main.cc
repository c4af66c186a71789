// The program's entry, and how its memory is kept.
#include "cli/line/command_line.h"

// jemalloc reads it before main (docs/decisions/0065): arenas for the few threads that take memory all the
// time, however many cores there are; what was given back goes to the system after a second.
extern "C" const char* malloc_conf;
const char* malloc_conf = "narenas:4,dirty_decay_ms:1000,muzzy_decay_ms:0";

int main(int argc, char** argv) { return assay::RunProgram(std::vector<std::string>(argv + 1, argv + argc)); }
