// Fixture: a header of the lower room that includes one of the room above.
#pragma once

#include "roomy/upper/top.h"
