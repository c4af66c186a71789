/* The second copy of libregexp: see assay_regexp.h. */
#include "assay_regexp.h"

#include "libregexp.c"

#include <stdlib.h>

/* The loop over all positions that lre_compile puts before a regex: split, any, goto. */
#define SEARCH_LOOP_LEN (5 + 1 + 5)

static int range_has(const uint8_t *ranges, int n, int size, uint32_t c)
{
    int i;
    for (i = 0; i < n; i++) {
        uint32_t low = size == 2 ? get_u16(ranges) : get_u32(ranges);
        uint32_t high = size == 2 ? get_u16(ranges + 2) : get_u32(ranges + 4);
        if (c >= low && c <= high)
            return 1;
        ranges += 2 * size;
    }
    return 0;
}

/* Adds what the character test at `pc` accepts; 0 if it is no test, or one that accepts nearly everything. */
static int add_starts(const uint8_t *pc, int is_unicode, uint8_t *starts)
{
    uint32_t c;
    for (c = 0; c < 128; c++) {
        uint32_t folded = lre_canonicalize(c, is_unicode);
        switch (pc[0]) {
        case REOP_char:      starts[c] |= get_u16(pc + 1) == c; break;
        case REOP_char_i:    starts[c] |= get_u16(pc + 1) == folded; break;
        case REOP_char32:    starts[c] |= get_u32(pc + 1) == c; break;
        case REOP_char32_i:  starts[c] |= get_u32(pc + 1) == folded; break;
        case REOP_space:     starts[c] |= lre_is_space(c) != 0; break;
        case REOP_range:     starts[c] |= range_has(pc + 3, get_u16(pc + 1), 2, c); break;
        case REOP_range_i:   starts[c] |= range_has(pc + 3, get_u16(pc + 1), 2, folded); break;
        case REOP_range32:   starts[c] |= range_has(pc + 3, get_u16(pc + 1), 4, c); break;
        case REOP_range32_i: starts[c] |= range_has(pc + 3, get_u16(pc + 1), 4, folded); break;
        default:             return 0;
        }
    }
    return 1;
}

/* Where the instruction at `pc`, which consumes nothing, may go on: at most two offsets from `pc`. Conditions
   (boundaries, look-around) count as met. Returns their number, 0 if it consumes something or is not known. */
static int next_offsets(const uint8_t *pc, int next[2])
{
    int size = reopcode_info[pc[0]].size;
    next[0] = size;
    switch (pc[0]) {
    case REOP_line_start: case REOP_line_start_m: case REOP_line_end: case REOP_line_end_m:
    case REOP_word_boundary: case REOP_word_boundary_i: case REOP_not_word_boundary: case REOP_not_word_boundary_i:
    case REOP_save_start: case REOP_save_end: case REOP_save_reset:
    case REOP_set_i32: case REOP_set_char_pos: case REOP_check_advance:
        return 1;
    case REOP_goto: case REOP_lookahead: case REOP_negative_lookahead:
        next[0] = size + (int)get_u32(pc + 1);
        return 1;
    case REOP_split_goto_first: case REOP_split_next_first:
        next[1] = size + (int)get_u32(pc + 1);
        return 2;
    case REOP_loop:
        next[1] = size + (int)get_u32(pc + 2);
        return 2;
    case REOP_loop_split_goto_first: case REOP_loop_split_next_first:
    case REOP_loop_check_adv_split_goto_first: case REOP_loop_check_adv_split_next_first:
        next[1] = size + (int)get_u32(pc + 6);
        return 2;
    default:
        return 0;
    }
}

int assay_lre_first_ascii(const uint8_t *bc_buf, uint8_t *starts)
{
    const uint8_t *code = bc_buf + RE_HEADER_LEN;
    int len = get_u32(bc_buf + RE_HEADER_BYTECODE_LEN);
    int is_unicode = (lre_get_flags(bc_buf) & (LRE_FLAG_UNICODE | LRE_FLAG_UNICODE_SETS)) != 0;
    uint8_t *seen = calloc(len, 1);
    int *todo = malloc(sizeof(*todo) * (len + 1));
    int todo_count = 0, known = seen != NULL && todo != NULL && len > SEARCH_LOOP_LEN;

    memset(starts, 0, 128);
    if (known) {
        todo[todo_count++] = SEARCH_LOOP_LEN;
        seen[SEARCH_LOOP_LEN] = 1;
    }
    while (known && todo_count > 0) {
        int at = todo[--todo_count], next[2], i, n = next_offsets(code + at, next);
        if (n == 0)
            known = add_starts(code + at, is_unicode, starts);
        for (i = 0; i < n; i++) {
            int target = at + next[i];
            if (target < 0 || target >= len) {
                known = 0;
            } else if (!seen[target]) {
                seen[target] = 1;
                todo[todo_count++] = target;
            }
        }
    }
    free(todo);
    free(seen);
    return known;
}

int assay_lre_exec_ascii(uint8_t **capture, const uint8_t *bc_buf, const uint8_t *text, int from, int count,
                         const uint8_t *starts, void *opaque)
{
    REExecContext s_s, *s = &s_s;
    int at, i, ret = 0;

    s->is_unicode = (lre_get_flags(bc_buf) & (LRE_FLAG_UNICODE | LRE_FLAG_UNICODE_SETS)) != 0;
    s->capture_count = bc_buf[RE_HEADER_CAPTURE_COUNT];
    s->cbuf = text;
    s->cbuf_end = text + count;
    s->cbuf_type = 0;
    s->interrupt_counter = INTERRUPT_COUNTER_INIT;
    s->opaque = opaque;
    s->stack_buf = s->static_stack_buf;
    s->stack_size = countof(s->static_stack_buf);
    for (at = from; at < count && ret == 0; at++) {
        if (!starts[text[at]])
            continue;
        for (i = 0; i < s->capture_count * 2; i++)
            capture[i] = NULL;
        ret = lre_exec_backtrack(s, capture, bc_buf + RE_HEADER_LEN + SEARCH_LOOP_LEN, text + at);
        /* the search loop would have counted this position */
        if (ret == 0 && lre_poll_timeout(s))
            ret = LRE_RET_TIMEOUT;
    }
    if (s->stack_buf != s->static_stack_buf)
        lre_realloc(s->opaque, s->stack_buf, 0);
    return ret;
}
