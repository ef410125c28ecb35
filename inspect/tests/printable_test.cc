// SPDX-License-Identifier: Apache-2.0
// Nothing of a target's reaches a terminal but what may be shown; JSON keeps each byte.
#include "inspect/base/printable.h"

#include <gtest/gtest.h>
#include <jansson.h>

#include <set>
#include <vector>

#include "inspect/render/table.h"
#include "inspect/tests/hand.h"
#include "inspect/tests/scenario.h"

namespace
{

// Each of these has to be replaced; what stands around them stays.
const char *const kBad[] = {
    "\033[31m",     "\a",           "\n",           "\r",           "\t",           "\x7f", // C0, DEL
    "\xc2\x80",     "\xc2\x85",     "\xc2\x9b",     "\xc2\x9f",                             // C1
    "\xd8\x9c",     "\xe2\x80\x8e", "\xe2\x80\x8f",                                 // marks of direction
    "\xe2\x80\xaa", "\xe2\x80\xab", "\xe2\x80\xac", "\xe2\x80\xad", "\xe2\x80\xae", // embeddings, overrides
    "\xe2\x81\xa6", "\xe2\x81\xa7", "\xe2\x81\xa8", "\xe2\x81\xa9",                 // isolates
    "\xe2\x80\xa8", "\xe2\x80\xa9", // line and paragraph separator
};
const char *const kBroken[] = {
    "\x9b",     "\xff",         "\xc0\x80",         "\xe0\x82\x9b",
    "\xc1\x9b", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
    "\xc3",     "\xe2\x80",     "\xf0\x9f\x98",
};
// Beside each kind of bad character there are good ones.
const char kGood[] = "A~"
                     "\xc2\xa0\xc3\xa9\xd8\x9b\xe2\x80\x8d\xe2\x80\x90\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa"
                     "\xed\x9f\xbf\xee\x80\x80\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf";

std::string All(bool broken)
{
    std::string all = "<&\"\\>";
    for (const char *bad : kBad)
        all += bad;
    for (const char *bad : kBroken)
        all += broken ? std::string(bad) + "." : "";
    return all + kGood;
}

// The first thing in TEXT that a terminal would obey or could not show, by a reading of its own; "" when
// there is none.
std::string Unprintable(const std::string &text, bool lines = true)
{
    for (size_t i = 0; i < text.size();) {
        const auto byte = [&](size_t k) {
            return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u;
        };
        unsigned c = byte(i), more = c < 0x80 ? 0 : c >> 5 == 6 ? 1 : c >> 4 == 14 ? 2 : c >> 3 == 30 ? 3 : 9;
        static const unsigned least[] = {0, 0x80, 0x800, 0x10000};
        std::string here = std::to_string(i) + ": ..." + text.substr(i > 40 ? i - 40 : 0, 80);

        if (more == 9)
            return "no UTF-8 at " + here;
        c &= more ? 0x3fu >> more : 0x7fu;
        for (unsigned k = 1; k <= more; k++) {
            if ((byte(i + k) & 0xc0) != 0x80)
                return "no UTF-8 at " + here;
            c = c << 6 | (byte(i + k) & 0x3f);
        }
        if (c < least[more] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
            return "no character at " + here;
        static const std::set<unsigned> bidi = {0x61c,  0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d,
                                                0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0x2028, 0x2029};
        if ((c < 0x20 && !(lines && c == '\n')) || (c >= 0x7f && c <= 0x9f) || bidi.count(c))
            return "U+" + std::to_string(c) + " at " + here;
        i += more + 1;
    }
    return "";
}

std::string Shown(const std::string &text)
{
    char *shown = insp_printable(text.c_str());
    std::string result = shown;

    insp_string_free(shown);
    return result;
}

TEST(Printable, EachCharacter)
{
    for (const char *bad : kBad)
        EXPECT_EQ(Shown(std::string("a") + bad + "b"), bad[0] == '\033' ? "a?[31mb" : "a?b") << bad;
    for (const char *bad : kBroken)
        EXPECT_EQ(Shown(std::string("a") + bad + "b"), "a" + std::string(strlen(bad), '?') + "b") << bad;
    EXPECT_EQ(Shown(kGood), kGood);
    EXPECT_EQ(Shown(""), "");
    EXPECT_EQ(insp_printable(nullptr), nullptr);
    EXPECT_NE(Unprintable(All(false)), "");
    EXPECT_EQ(Unprintable(kGood), "");
}

// A snapshot with a string in every field that can have one.
void Fill(Hand *h)
{
    static struct mdl_unknown unknown[] = {{"wait.at", "nobody knows"}};
    static struct mdl_ability ability[] = {{"threads", false, "no extension"}};

    h->Mutex(0, "lock", "b", 1, 21);
    h->Mutex(1, "lock", "a", 0, 30);
    h->s->threads[1].wait.taken_at = {"take", "/src/take.c", 7, nullptr};
    h->Barrier(2, 88, {0, 1});
    h->s->threads[2].wait.at = {nullptr, nullptr, 0, "/lib/stripped.so"};
    h->Mutex(4, "critical", "name", -2, 31);
    h->After(h->Task(20, "explicit", "blocked", -1, 10, 45), 21);
    h->Task(21, "explicit", "ready", -1, 10, 45)->place.function = "body";
    h->s->want |= INSP_STACKS;
    for (int i = 0; i < 5; i++) {
        h->Frame(i, INSP_CODE_LIBC, "write");
        h->s->threads[i].frames[0].module = "/lib/libc.so.6";
        h->Frame(i, INSP_CODE_USER, "kernel", 12 + i);
    }
    h->s->threads[3].unknown = h->s->tasks[5].unknown = h->s->regions[0].unknown = unknown;
    h->s->threads[3].unknown_count = h->s->tasks[5].unknown_count = h->s->regions[0].unknown_count = 1;
    mdl_activity *a = Doing(h, 3, MDL_ACTIVITY_READ, "read", 9);
    a->descriptor = 5;
    a->file = "pipe:[7]";
    a->name = "input";
    a = Doing(h, 5, MDL_ACTIVITY_MUTEX, "pthread_mutex_lock", 9);
    a->name = "pool.m";
    a->owner = MDL_OWNER_THREAD;
    a->owner_lwp = 103;
    a->owner_doubt = "it may have changed";
    Doing(h, 4, MDL_ACTIVITY_UNKNOWN)->why = "no registers";
    h->s->threads[0].frames[1].symbol = "_Z6kernelv";
    h->s->process.rank = 1;
    h->s->process.job = "4711";
    h->s->process.step = "2";
    h->Icv("nthreads-var", "4");
    h->s->icvs[0].scope = MDL_SCOPE_TASK;
    h->s->runtimes[0].library = "/opt/libomp.so";
    h->s->runtimes[0].version = "Companion 1";
    h->s->runtimes[0].abilities = ability;
    h->s->runtimes[0].ability_count = 1;
    h->s->process.core = "/tmp/core";
    h->s->process.host = "node7";
    h->s->process.signal = 11;
    h->s->process.crashed_lwp = 103;
    h->s->ompd_library = "/opt/libompd.so";
    h->s->ompd_version = "ompd 1";
    h->s->ompd_why = "why not";
    mdl_problem(h->s, "a page", "it is not in the core", "Write another.");
    verdict_make(h->s);
}

std::string Record(const insp_snapshot *s)
{
    char *error = nullptr, *text = insp_record(s, &error);
    std::string result = text ? text : error;

    insp_string_free(text ? text : error);
    return result;
}

std::string Hex(const std::string &bytes)
{
    static const char digits[] = "0123456789abcdef";
    std::string hex;

    for (unsigned char c : bytes)
        hex += {digits[c >> 4], digits[c & 15]};
    return hex;
}

// Schema words, without which the rows say less: they are spoilt in a run of their own.
bool IsWord(const std::string &key)
{
    static const std::set<std::string> words = {"kind", "state", "owner", "barrier", "scope", "schema"};

    return words.count(key);
}

// Puts BAD behind each string value; as bytes where it is BROKEN.
int Spoil(json_t *value, const std::string &bad, bool broken, bool words)
{
    std::vector<std::string> keys;
    int count = 0;
    const char *name;
    json_t *member;

    for (size_t i = 0; i < json_array_size(value); i++)
        count += Spoil(json_array_get(value, i), bad, broken, words);
    json_object_foreach(value, name, member) keys.push_back(name);
    for (const std::string &key : keys) {
        const char *text = json_string_value(member = json_object_get(value, key.c_str()));

        if (!text)
            count += Spoil(member, bad, broken, words);
        if (!text || (IsWord(key) && !words) || !strncmp(text, "0x", 2))
            continue;
        std::string all = text + bad;
        if (broken)
            json_object_set_new(value, (key + "_bytes").c_str(), json_string(Hex(all).c_str()));
        json_object_set_new(value, key.c_str(), json_string(broken ? "\xef\xbf\xbd" : all.c_str()));
        count++;
    }
    return count;
}

insp_snapshot *Spoilt(bool broken, bool words)
{
    Hand h(6);
    Fill(&h);
    std::string text = Record(h.s);
    json_t *root = json_loads(text.c_str(), 0, nullptr);
    EXPECT_GT(Spoil(root, All(broken), broken, words), 50);
    char *spoilt = json_dumps(root, 0), *error = nullptr;
    insp_snapshot *s = insp_load(spoilt, strlen(spoilt), &error);
    EXPECT_TRUE(s) << error;
    insp_string_free(spoilt);
    json_decref(root);
    return s;
}

void ExpectHarmless(const insp_snapshot *s)
{
    const char *sentence = nullptr;

    for (int view = INSP_VIEW_THREADS; view <= INSP_VIEW_STACKS; view++)
        for (int format = INSP_TEXT; format <= INSP_FOLDED; format++)
            for (int form = 0; form < (format < INSP_HTML || !view ? 8 : 0); form++) {
                insp_render_options o = {};
                char *error = nullptr;
                o.size = sizeof(o);
                o.view = view;
                o.format = format;
                o.width = form & 1 ? 60 : 0;
                o.expand = o.stats = form >> 1 & 1;
                o.frames = o.addresses = form >> 2 & 1;
                char *text = insp_render(s, &o, &error);
                ASSERT_TRUE(text) << error;
                EXPECT_EQ(Unprintable(text), "") << view << " " << format << " " << form;
                insp_string_free(text);
            }
    (void)insp_verdict(s, &sentence);
    EXPECT_EQ(Unprintable(sentence, false), "");
    for (int format = INSP_TEXT; format <= INSP_JSON; format++) {
        insp_render_options o = {};
        o.size = sizeof(o);
        o.format = format;
        char *text = insp_compare(s, s, &o, nullptr);
        ASSERT_TRUE(text);
        EXPECT_EQ(Unprintable(text), "");
        insp_string_free(text);
    }
}

TEST(Printable, EveryPrinter)
{
    for (int run = 0; run < 4; run++) {
        insp_snapshot *s = Spoilt(run & 1, run & 2);
        ASSERT_TRUE(s);
        ExpectHarmless(s);
        insp_free(s);
    }
}

TEST(Printable, EachFieldIsOneLineOfItsTable)
{
    insp_snapshot *s = Spoilt(true, false);
    insp_render_options o = {};
    o.size = sizeof(o);
    o.view = INSP_VIEW_ICVS;
    char *text = insp_render(s, &o, nullptr);
    std::string shown = text;
    shown = shown.substr(shown.find("ICV "));
    // The scope stands in the column of its head, with as many characters before it.
    size_t head = shown.find("Scope"), begin = shown.find('\n') + 1, at = shown.find("  task", begin) + 2;
    EXPECT_EQ(text_width(shown.substr(begin, at - begin).c_str()), head) << shown;
    insp_string_free(text);
    insp_free(s);
}

TEST(Printable, Pictures)
{
    insp_snapshot *s = Spoilt(true, false);
    for (int view : {INSP_VIEW_TASKS, INSP_VIEW_WAITS}) {
        insp_render_options o = {};
        o.size = sizeof(o);
        o.view = view;
        o.format = INSP_DOT;
        char *dot = insp_render(s, &o, nullptr), *error = nullptr, *svg = insp_svg(dot, &error);
        insp_string_free(dot);
        if (!svg && strstr(error, "missing")) {
            insp_string_free(error);
            continue; /* graphviz is not installed */
        }
        ASSERT_TRUE(svg) << error;
        EXPECT_EQ(Unprintable(svg), "");
        o.format = INSP_HTML;
        o.svg_tree = o.svg_waits = svg;
        char *page = insp_render(s, &o, nullptr);
        EXPECT_EQ(Unprintable(page), "");
        insp_string_free(page);
        insp_string_free(svg);
    }
    insp_free(s);
}

// Each value of a parsed document is what the model has.
TEST(Printable, JsonIsExact)
{
    for (bool broken : {false, true}) {
        insp_snapshot *s = Spoilt(broken, false);
        std::string text = Record(s), exe = "/apps/solve" + All(broken), name = "b" + All(broken);
        EXPECT_EQ(text.find("\xe2\x80\xae"), std::string::npos);
        EXPECT_EQ(s->process.exe, exe);
        json_t *root = json_loads(text.c_str(), JSON_REJECT_DUPLICATES, nullptr);
        ASSERT_TRUE(root);
        json_t *process = json_object_get(root, "process");
        json_t *wait = json_object_get(json_array_get(json_object_get(root, "threads"), 0), "wait");
        const char *bytes = json_string_value(json_object_get(wait, "name_bytes"));
        if (broken) {
            std::string shown = json_string_value(json_object_get(wait, "name"));
            ASSERT_TRUE(bytes);
            EXPECT_EQ(bytes, Hex(name));
            EXPECT_NE(shown.find("\xef\xbf\xbd.\xef\xbf\xbd.\xef\xbf\xbd\xef\xbf\xbd."), std::string::npos)
                << shown;
            EXPECT_STREQ(json_string_value(json_object_get(process, "exe_bytes")), Hex(exe).c_str());
        } else {
            EXPECT_FALSE(bytes);
            EXPECT_STREQ(json_string_value(json_object_get(wait, "name")), name.c_str());
            EXPECT_STREQ(json_string_value(json_object_get(process, "exe")), exe.c_str());
        }
        json_decref(root);
        insp_snapshot *again = insp_load(text.data(), text.size(), nullptr);
        ASSERT_TRUE(again);
        EXPECT_EQ(Record(again), text);
        insp_free(again);
        insp_free(s);
    }
}

// From a host's answers on: names, files, messages of the OMPD library.
TEST(Printable, FromTheHost)
{
    for (bool extensions : {true, false}) {
        Scenario s(extensions);
        const std::string bad = All(true);
        for (auto &place : s.host.places) {
            place.second.symbol += bad;
            place.second.file += bad;
        }
        for (auto &module : s.host.modules)
            module.path += bad;
        s.host.put_lock(kLockA, "a" + bad);
        s.host.put(kSource, ";mi\033\xe2\x80\xae.c;ma\xc2\x9bin\xff;14;3;;");
        s.host.frames[103] = {{0x401210, "ker\033nel" + bad, "/src/" + bad, 3, "/lib/" + bad}};
        s.want = INSP_ALL | INSP_STACKS;
        for (int view = INSP_VIEW_THREADS; view <= INSP_VIEW_STACKS; view++)
            for (int format = INSP_TEXT; format <= INSP_FOLDED; format++)
                EXPECT_EQ(Unprintable(s.render(view, format, 70)), "") << view << " " << format;
        for (int view : {INSP_VIEW_ICVS, INSP_VIEW_TASKS})
            EXPECT_EQ(Unprintable(s.render(view, INSP_TEXT, 0, bad.c_str()), false), "");
        EXPECT_EQ(Unprintable(s.host.printed), "");
    }
}

TEST(Printable, Errors)
{
    char *error = nullptr;
    const std::string text = "{\"schema\": " + All(true) + "}";
    EXPECT_FALSE(insp_load(text.data(), text.size(), &error));
    EXPECT_EQ(Unprintable(error, false), "");
    insp_string_free(error);
    EXPECT_NE(insp_trace(("/nonexistent/" + All(true)).c_str(), &error), 0);
    EXPECT_EQ(Unprintable(error, false), "");
    insp_string_free(error);
}

} // namespace
