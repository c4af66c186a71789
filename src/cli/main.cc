// The program's entry.
#include "cli/settings/command_line.h"

int main(int argc, char** argv) { return assay::RunProgram(std::vector<std::string>(argv + 1, argv + argc)); }
