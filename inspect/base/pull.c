/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/base/pull.h"

#include <string.h>

#include "inspect/base/utf8.h"

/* What may come next: a value, also the end of an array, a key, also the end of an object, what is behind a
 * value, nothing. */
enum { WANTS_VALUE, WANTS_ROW, WANTS_KEY, WANTS_MEMBER, WANTS_MORE, WANTS_NOTHING };

void pull_start(struct pull *p, const char *text, size_t size)
{
    *p = (struct pull){.begin = text, .at = text, .end = text + size, .wants = WANTS_VALUE};
}

void pull_again(struct pull *p)
{
    p->wants = WANTS_VALUE;
}

int pull_line(const struct pull *p)
{
    int line = 1;

    for (const char *c = p->begin; c < p->at && (c = memchr(c, '\n', (size_t)(p->at - c))); c++)
        line++;
    return line;
}

static enum pull_word wrong(struct pull *p, const char *why)
{
    p->why = why;
    p->wants = WANTS_NOTHING;
    return PULL_WRONG;
}

/* The byte at `at`, 0 at the end: no word has one of that value. */
static char peek(const struct pull *p)
{
    return p->at < p->end ? *p->at : '\0';
}

static char skip_blanks(struct pull *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\n' || *p->at == '\r' || *p->at == '\t'))
        p->at++;
    return peek(p);
}

bool pull_done(struct pull *p)
{
    (void)skip_blanks(p);
    return p->at == p->end;
}

/* ---- texts ------------------------------------------------------------------------------------------- */

/* The number that four hexadecimal digits at S stand for; -1: they are none. */
static int hex4(const char *s, const char *end)
{
    int value = 0;

    for (int i = 0; i < 4; i++) {
        const char c = s + i < end ? s[i] : '\0';
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;

        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

static bool is_high(int unit)
{
    return unit >= 0xd800 && unit < 0xdc00;
}

static bool is_low(int unit)
{
    return unit >= 0xdc00 && unit < 0xe000;
}

/* Bytes of the escape at S, which is a backslash; 0: it is none. */
static size_t escape_length(const char *s, const char *end)
{
    const char kind = s + 1 < end ? s[1] : '\0';
    int unit;

    if (kind && strchr("\"\\/bfnrt", kind))
        return 2;
    unit = kind == 'u' ? hex4(s + 2, end) : -1;
    if (unit <= 0 || is_low(unit))
        return 0;
    if (!is_high(unit))
        return 6;
    return end - s >= 12 && s[6] == '\\' && s[7] == 'u' && is_low(hex4(s + 8, end)) ? 12 : 0;
}

/* Bytes of the character at S, which is no ASCII; 0: it is not UTF-8. */
static size_t wide_length(const char *s, const char *end)
{
    const unsigned char lead = (unsigned char)*s;
    const size_t n = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;

    return n <= (size_t)(end - s) ? utf8_len(s) : 0;
}

/* The text at `at`, which is a quote. */
static bool read_text(struct pull *p)
{
    const char *s = p->at + 1, *const end = p->end;

    p->raw = s;
    p->escaped = false;
    for (size_t n; s < end && *s != '"'; s += n) {
        const unsigned char c = (unsigned char)*s;

        n = c == '\\' ? escape_length(s, end) : c < 0x20 ? 0 : c < 0x80 ? 1 : wide_length(s, end);
        p->escaped |= c == '\\';
        if (!n) {
            p->at = s;
            p->why = c == '\\'  ? "an escape in a text is none of JSON"
                     : c < 0x20 ? "a text has a control character"
                                : "a text is not UTF-8";
            return false;
        }
    }
    p->length = (size_t)(s - p->raw);
    p->at = s < end ? s + 1 : s;
    if (s == end)
        p->why = "a text has no end";
    return s < end;
}

static char *put_point(char *to, unsigned c)
{
    if (c < 0x80) {
        *to++ = (char)c;
    } else if (c < 0x800) {
        *to++ = (char)(0xc0 | c >> 6);
        *to++ = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        *to++ = (char)(0xe0 | c >> 12);
        *to++ = (char)(0x80 | (c >> 6 & 0x3f));
        *to++ = (char)(0x80 | (c & 0x3f));
    } else {
        *to++ = (char)(0xf0 | c >> 18);
        *to++ = (char)(0x80 | (c >> 12 & 0x3f));
        *to++ = (char)(0x80 | (c >> 6 & 0x3f));
        *to++ = (char)(0x80 | (c & 0x3f));
    }
    return to;
}

/* What the escape at S stands for, which read_text has found good. */
static char *put_escape(const char *s, const char *end, char *to)
{
    static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
    const char *letter = strchr(letters, s[1]);
    unsigned unit;

    if (s[1] != 'u') {
        *to = letter ? meant[letter - letters] : s[1];
        return to + 1;
    }
    unit = (unsigned)hex4(s + 2, end);
    if (is_high((int)unit))
        unit = 0x10000 + ((unit & 0x3ff) << 10) + ((unsigned)hex4(s + 8, end) & 0x3ff);
    return put_point(to, unit);
}

void pull_text(const struct pull *p, char *to)
{
    const char *s = p->raw, *const end = p->raw + p->length;

    if (!p->escaped) {
        memcpy(to, s, p->length);
        to[p->length] = '\0';
        return;
    }
    while (s < end) {
        if (*s == '\\') {
            to = put_escape(s, end, to);
            s += escape_length(s, end);
        } else {
            *to++ = *s++;
        }
    }
    *to = '\0';
}

/* ---- numbers and names ------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Passes over digits; are there any? */
static bool digits(struct pull *p)
{
    const char *from = p->at;

    while (is_digit(peek(p)))
        p->at++;
    return p->at > from;
}

/* The digits FROM to `at` as a number with SIGN. False: it has more than 64 bits. */
static bool take_integer(struct pull *p, const char *from, bool negative)
{
    const uint64_t most = (uint64_t)INT64_MAX + negative;
    uint64_t value = 0;

    for (; from < p->at; from++) {
        const unsigned digit = (unsigned)(*from - '0');

        if (value > (most - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    p->integer = (int64_t)(negative ? 0 - value : value);
    return true;
}

static enum pull_word read_number(struct pull *p)
{
    static const char bad[] = "a number is none of JSON";
    const bool negative = peek(p) == '-';
    const char *from = p->at += negative;
    bool real = false;

    if (!digits(p) || (*from == '0' && p->at > from + 1))
        return wrong(p, bad);
    if (peek(p) == '.') {
        real = true;
        p->at++;
        if (!digits(p))
            return wrong(p, bad);
    }
    if (peek(p) == 'e' || peek(p) == 'E') {
        real = true;
        p->at++;
        p->at += peek(p) == '+' || peek(p) == '-';
        if (!digits(p))
            return wrong(p, bad);
    }
    if (real)
        return PULL_REAL;
    return take_integer(p, from, negative) ? PULL_INTEGER : wrong(p, "a number has more than 64 bits");
}

static enum pull_word read_name(struct pull *p)
{
    static const struct {
        const char *name;
        size_t length;
        enum pull_word word;
    } names[] = {{"true", 4, PULL_TRUE}, {"false", 5, PULL_FALSE}, {"null", 4, PULL_NULL}};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if ((size_t)(p->end - p->at) >= names[i].length && !memcmp(p->at, names[i].name, names[i].length)) {
            p->at += names[i].length;
            return names[i].word;
        }
    return wrong(p, p->at < p->end ? "a value is missing" : p->depth ? "it has no end" : "there is nothing");
}

/* ---- the words --------------------------------------------------------------------------------------- */

/* Behind a value. */
static enum pull_word leave(struct pull *p, enum pull_word word)
{
    p->wants = p->depth ? WANTS_MORE : WANTS_NOTHING;
    return word;
}

static enum pull_word open(struct pull *p, bool object)
{
    if (p->depth >= PULL_DEPTH)
        return wrong(p, "there are too many lists in lists");
    p->at++;
    p->objects = (p->objects & ~(UINT64_C(1) << p->depth)) | (uint64_t)object << p->depth;
    p->depth++;
    p->wants = object ? WANTS_MEMBER : WANTS_ROW;
    return object ? PULL_OBJECT : PULL_ARRAY;
}

static enum pull_word close(struct pull *p, bool object)
{
    p->at++;
    p->depth--;
    return leave(p, object ? PULL_OBJECT_END : PULL_ARRAY_END);
}

static enum pull_word read_key(struct pull *p)
{
    if (peek(p) != '"')
        return wrong(p, "a name is missing");
    if (!read_text(p))
        return wrong(p, p->why);
    if (skip_blanks(p) != ':')
        return wrong(p, "the colon behind a name is missing");
    p->at++;
    p->wants = WANTS_VALUE;
    return PULL_KEY;
}

static enum pull_word read_value(struct pull *p, char c)
{
    enum pull_word word;

    if (c == '{' || c == '[')
        return open(p, c == '{');
    if (c == '"')
        word = read_text(p) ? PULL_TEXT : wrong(p, p->why);
    else if (c == '-' || is_digit(c))
        word = read_number(p);
    else
        word = read_name(p);
    return word == PULL_WRONG ? word : leave(p, word);
}

enum pull_word pull_next(struct pull *p)
{
    const bool object = p->depth && p->objects >> (p->depth - 1) & 1;
    char c;

    if (p->wants == WANTS_NOTHING)
        return p->why ? PULL_WRONG : PULL_END;
    c = skip_blanks(p);
    if ((p->wants == WANTS_MEMBER || (p->wants == WANTS_MORE && object)) && c == '}')
        return close(p, true);
    if ((p->wants == WANTS_ROW || (p->wants == WANTS_MORE && !object)) && c == ']')
        return close(p, false);
    if (p->wants == WANTS_MORE) {
        if (c != ',')
            return wrong(p, p->at < p->end ? "a comma or the end of a list is missing" : "it has no end");
        p->at++;
        c = skip_blanks(p);
        p->wants = object ? WANTS_KEY : WANTS_VALUE;
    }
    return p->wants == WANTS_KEY || p->wants == WANTS_MEMBER ? read_key(p) : read_value(p, c);
}

bool pull_pass(struct pull *p)
{
    const unsigned depth = p->depth;
    enum pull_word word;

    do
        word = pull_next(p);
    while (word > PULL_END && p->depth > depth);
    return word > PULL_END;
}
