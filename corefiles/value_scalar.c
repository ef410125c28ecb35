/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/value_scalar.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corefiles/debuginfo/debuginfo.h"
#include "corefiles/type_text.h"

/* Children of an enumeration that are looked at. */
enum { ENUMERATORS_MAX = 4096 };

static uint64_t word_of(const uint8_t *bytes, uint64_t size)
{
    uint64_t word = 0;

    memcpy(&word, bytes, size < sizeof(word) ? size : sizeof(word));
    return word;
}

static int64_t extended(uint64_t word, uint32_t bits)
{
    const uint64_t sign = UINT64_C(1) << (bits - 1);

    return bits == 64 ? (int64_t)word : (int64_t)(((word & ((sign << 1) - 1)) ^ sign) - sign);
}

static uint64_t cut(uint64_t word, uint32_t bits)
{
    return bits < 64 ? word & ((UINT64_C(1) << bits) - 1) : word;
}

/* The fewest digits that give the same number again. */
static void add_float(struct sbuf *out, const uint8_t *bytes, uint64_t size)
{
    char text[64] = "";
    long double wide = 0;
    double number;
    float narrow;

    if (size == sizeof(narrow)) {
        memcpy(&narrow, bytes, sizeof(narrow));
        for (int digits = 6; digits <= 9; digits++) {
            snprintf(text, sizeof(text), "%.*g", digits, (double)narrow);
            if (strtof(text, NULL) == narrow)
                break;
        }
    } else if (size == sizeof(number)) {
        memcpy(&number, bytes, sizeof(number));
        for (int digits = 6; digits <= 17; digits++) {
            snprintf(text, sizeof(text), "%.*g", digits, number);
            if (strtod(text, NULL) == number)
                break;
        }
    } else {
        memcpy(&wide, bytes, 10); /* of 16: x87's */
        snprintf(text, sizeof(text), "%.21Lg", wide);
    }
    sbuf_add(out, text);
}

/* Of those with 16 bytes x87's are known, the others (_Float128, real(kind=16)) are laid out otherwise. */
static bool is_float(const struct die *type, uint64_t size)
{
    const char *name = die_name(type);

    return size == 4 || size == 8 ||
           (size == 16 && name && (strstr(name, "long double") || strstr(name, "kind=10")));
}

void cf_character_text(struct sbuf *out, uint8_t c, char quote)
{
    static const char plain[] = "\a\b\t\n\v\f\r", letters[] = "abtnvfr";
    const char *at = c ? strchr(plain, c) : NULL;

    if (at)
        sbuf_printf(out, "\\%c", letters[at - plain]);
    else if (c == (uint8_t)quote || c == '\\')
        sbuf_printf(out, "\\%c", c);
    else if (c < ' ' || c == 0x7f || (c > 0x7f && quote == '\'')) /* a text may be UTF-8 */
        sbuf_printf(out, "\\%03o", c);
    else
        sbuf_printf(out, "%c", c);
}

bool cf_is_character(const struct die *type)
{
    int64_t encoding;

    return die_tag(type) == TAG_base_type && die_size(type) == 1 &&
           !die_number(type, ATTR_encoding, &encoding) &&
           (encoding == ENCODING_signed_char || encoding == ENCODING_unsigned_char ||
            encoding == ENCODING_UTF);
}

/* The enumerator with that value; a combination of flags has none. */
static void add_enumerator(struct sbuf *out, const struct die *type, uint64_t word, uint32_t bits)
{
    struct die child;
    uint64_t last = 0;
    int looked = 0;
    int64_t value;

    if (!die_child(type, &child))
        do {
            if (die_tag(&child) == TAG_enumerator && !die_number(&child, ATTR_const_value, &value) &&
                cut((uint64_t)value, bits) == cut(word, bits) && die_name(&child)) {
                sbuf_printf(out, "%.200s", die_name(&child));
                return;
            }
        } while (++looked < ENUMERATORS_MAX && !die_sibling(&child, &child) && die_is_ahead(&child, &last));
    sbuf_printf(out, "%" PRId64, extended(word, bits));
}

static bool add_word(struct sbuf *out, const struct die *type, int64_t encoding, uint64_t word, uint32_t bits)
{
    const bool fortran = cf_type_is_fortran(type);

    switch (encoding) {
    case ENCODING_boolean:
        word = cut(word, bits);
        if (word > 1 && !fortran)
            sbuf_printf(out, "%" PRIu64, word);
        else
            sbuf_add(out, fortran ? word ? ".true." : ".false." : word ? "true" : "false");
        return true;
    case ENCODING_signed:
        sbuf_printf(out, "%" PRId64, extended(word, bits));
        return true;
    case ENCODING_unsigned:
        sbuf_printf(out, "%" PRIu64, cut(word, bits));
        return true;
    case ENCODING_signed_char:
        sbuf_printf(out, "%" PRId64, extended(word, bits));
        break;
    case ENCODING_unsigned_char:
    case ENCODING_UTF:
        sbuf_printf(out, "%" PRIu64, cut(word, bits));
        break;
    default:
        return false;
    }
    if (bits == 8) {
        sbuf_add(out, " '");
        cf_character_text(out, (uint8_t)word, '\'');
        sbuf_add(out, "'");
    }
    return true;
}

void cf_bits_text(struct sbuf *out, const struct die *type, uint64_t word, uint32_t bits)
{
    int64_t encoding = ENCODING_unsigned;

    if (die_tag(type) == TAG_enumeration_type)
        add_enumerator(out, type, word, bits);
    else if (die_number(type, ATTR_encoding, &encoding) || !add_word(out, type, encoding, word, bits))
        sbuf_printf(out, "%" PRIu64, cut(word, bits));
}

bool cf_scalar_text(struct sbuf *out, const struct die *type, const uint8_t *bytes, uint64_t size)
{
    int64_t encoding;

    if (die_tag(type) == TAG_enumeration_type && size && size <= 8) {
        add_enumerator(out, type, word_of(bytes, size), 8 * (uint32_t)size);
        return true;
    }
    if (die_number(type, ATTR_encoding, &encoding) || !size)
        return false;
    if (encoding == ENCODING_float && is_float(type, size)) {
        add_float(out, bytes, size);
        return true;
    }
    if (encoding == ENCODING_complex_float && is_float(type, size / 2)) {
        sbuf_add(out, "(");
        add_float(out, bytes, size / 2);
        sbuf_add(out, ", ");
        add_float(out, bytes + size / 2, size / 2);
        sbuf_add(out, ")");
        return true;
    }
    if (size == 16 && (encoding == ENCODING_signed || encoding == ENCODING_unsigned)) {
        sbuf_printf(out, "0x%016" PRIx64 "%016" PRIx64, word_of(bytes + 8, 8), word_of(bytes, 8));
        return true;
    }
    return size <= 8 && add_word(out, type, encoding, word_of(bytes, size), 8 * (uint32_t)size);
}
