/* libregexp for direct use. Its embedder must define three callbacks, and quickjs.c already defines them for
   regexes inside scripts, where `opaque` is a JSContext. So the library is compiled twice: as it is for the
   engine, and from assay_regexp.c under the names below; their callbacks: src/text/javascript/regex.cc. */
#ifndef ASSAY_REGEXP_H
#define ASSAY_REGEXP_H

#define lre_compile assay_lre_compile
#define lre_exec assay_lre_exec
#define lre_get_alloc_count assay_lre_get_alloc_count
#define lre_check_bytecode assay_lre_check_bytecode
#define lre_get_capture_count assay_lre_get_capture_count
#define lre_get_flags assay_lre_get_flags
#define lre_get_groupnames assay_lre_get_groupnames
#define lre_parse_escape assay_lre_parse_escape
#define lre_id_start_table_ascii assay_lre_id_start_table_ascii
#define lre_id_continue_table_ascii assay_lre_id_continue_table_ascii
#define lre_check_stack_overflow assay_lre_check_stack_overflow
#define lre_check_timeout assay_lre_check_timeout
#define lre_realloc assay_lre_realloc

#include "libregexp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which ASCII characters a match can start with: sets starts[c] for each and returns 1. Returns 0 if that
   cannot be said or an empty match is possible; `starts` is undefined then. `starts` has 128 entries. */
int assay_lre_first_ascii(const uint8_t *bc_buf, uint8_t *starts);
/* lre_exec over one-byte units that are ASCII, for regexes compiled without the sticky flag, entering the
   regex only at or behind `from`, where `starts` (of assay_lre_first_ascii) allows it. */
int assay_lre_exec_ascii(uint8_t **capture, const uint8_t *bc_buf, const uint8_t *text, int from, int count,
                         const uint8_t *starts, void *opaque);

#ifdef __cplusplus
}
#endif

#endif
