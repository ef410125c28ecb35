/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/gomp/gomp_tls.h"

/** Modules with thread-local storage: a process with more is damaged. */
#define MODULES_MAX 65536u
/** Of a thread's descriptor: where its vector of modules' blocks is. glibc's vector has 16 bytes for each
 * module, of which the first 8 are its address, or all bits if the thread has not used it. How many there are
 * is said before it. */
#define VECTOR_AT    8u
#define VECTOR_ENTRY 16u
#define UNUSED       UINT64_MAX

bool gomp_has_tls(const struct lay *lay)
{
    return lay_has(lay, LAY_V_gomp_tls_data) || lay_has(lay, LAY_V_gomp_tls_index) ||
           lay_has(lay, LAY_V_gomp_tls_descriptor);
}

static bool is_distance(int64_t offset)
{
    return offset < 0 && offset >= -GOMP_TLS_BYTES_MAX && offset % 8 == 0;
}

/** The number of a module and an offset in it, as the loader leaves them to __tls_get_addr. */
static ompd_rc_t read_index(struct gomp *gomp, uint64_t address, struct gomp_tls *ret)
{
    const struct tgt *tgt = &gomp->aspace->tgt;
    uint64_t offset;
    TRY(tgt_read_pointer(tgt, address, &ret->module));
    TRY(tgt_read_pointer(tgt, address + 8, &offset));
    ret->offset = (int64_t)offset;
    return ompd_rc_ok;
}

/** The loader puts a distance into a descriptor, or a pointer to the number of a module and an offset. */
static ompd_rc_t read_descriptor(struct gomp *gomp, uint64_t address, struct gomp_tls *ret)
{
    uint64_t word;
    TRY(tgt_read_pointer(&gomp->aspace->tgt, address + 8, &word));
    if ((int64_t)word > 0)
        return read_index(gomp, word, ret);
    *ret = (struct gomp_tls){0, (int64_t)word};
    return ompd_rc_ok;
}

ompd_rc_t gomp_find_tls(struct gomp *gomp, struct gomp_tls *ret)
{
    const struct lay *lay = gomp_lay(gomp);
    *ret = (struct gomp_tls){0, 0};
    if (lay_has(lay, LAY_V_gomp_tls_data)) {
        uint64_t word;
        TRY(tgt_read_pointer(&gomp->aspace->tgt, lay_variable(lay, LAY_V_gomp_tls_data), &word));
        ret->offset = (int64_t)word;
    } else if (lay_has(lay, LAY_V_gomp_tls_index)) {
        TRY(read_index(gomp, lay_variable(lay, LAY_V_gomp_tls_index), ret));
    } else {
        TRY(read_descriptor(gomp, lay_variable(lay, LAY_V_gomp_tls_descriptor), ret));
    }
    if (ret->module == 0 ? is_distance(ret->offset)
                         : ret->module < MODULES_MAX && ret->offset >= 0 && ret->offset % 8 == 0 &&
                               ret->offset <= GOMP_TLS_BYTES_MAX)
        return ompd_rc_ok;
    tgt_say("libompd: libgomp's thread-local storage is not where its layout says; the layout is not that of "
            "this library.\n");
    return ompd_rc_error;
}

ompd_rc_t gomp_record_at(struct gomp *gomp, const struct gomp_tls *tls, uint64_t base, uint64_t *ret)
{
    struct pages *pages = &gomp->world->pages;
    uint64_t vector, count, block;
    ompd_rc_t rc;
    *ret = 0;
    if (tls->module == 0) {
        *ret = base + (uint64_t)tls->offset;
        return ompd_rc_ok;
    }
    rc = pages_number(gomp->aspace, pages, base + VECTOR_AT, 8, &vector);
    if (rc == ompd_rc_ok)
        rc = pages_number(gomp->aspace, pages, vector - VECTOR_ENTRY, 8, &count);
    if (rc == ompd_rc_ok && tls->module <= count)
        rc = pages_number(gomp->aspace, pages, vector + tls->module * VECTOR_ENTRY, 8, &block);
    if (rc == ompd_rc_ok && tls->module <= count && block != UNUSED && block != 0)
        *ret = block + (uint64_t)tls->offset;
    return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
}
