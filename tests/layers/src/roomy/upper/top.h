// Fixture: a header of the upper room, which includes what lies below it.
#pragma once

#include "roomy/lower/fine.h"
#include "roomy/shared.h"
