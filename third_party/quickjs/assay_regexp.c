/* The second copy of libregexp: see assay_regexp.h. */
#include "assay_regexp.h"

#include "libregexp.c"
