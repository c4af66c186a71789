// Fixture: a header of the lower room that obeys.
#pragma once

#include "roomy/shared.h"
