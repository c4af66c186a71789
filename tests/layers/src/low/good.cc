// Fixture of check.sh: includes that module low may have.
#include "low/good.h"

#include <string>
