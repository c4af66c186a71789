// Fixture of check.sh: every kind of include that module low may not have.
#include "../high/top.h"
#include "high/top.h"
#include <low/good.h>
#include <yaml.h>
