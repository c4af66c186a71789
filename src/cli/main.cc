// The program's entry.
#include "cli/command_line.h"

int main(int argc, char** argv) { return assay::RunProgram(std::vector<std::string>(argv + 1, argv + argc)); }
