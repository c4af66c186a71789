// Fixture of check.sh: high may include low.
#include "high/top.h"
#include "low/good.h"
