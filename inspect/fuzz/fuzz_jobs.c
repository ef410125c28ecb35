/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libFuzzer's entry: what comes of many nodes on its way. The first byte of an input says what the others
 * are: orders of what happens to the framed lines of three answers, to a merged document or to a report, or
 * bytes that come in their place.
 *
 * Of lines that are damaged nothing is taken but whole answers, each as it was sent, and a missing one is
 * known to be missing. Whatever is taken of a document: it can be written, and read again to the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/jobs/framed_lines.h"
#include "inspect/base/printable.h"
#include "inspect/inspect.h"
#include "inspect/jobs/jobs.h"
#include "inspect/jobs/merge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NODES = 3, LINES_MAX = 48, TEXT_MAX = 1 << 16 };

static struct {
    char host[8], *document, *lines;
} sent[NODES];
static char *merged;

#define require(truth) ((truth) ? (void)0 : abort())

/* ---- what is sent ------------------------------------------------------------------------------------ */

/* A document of a rank, of which no two have a word in common that tells whose it is. */
static char *document_of(int node)
{
    static const char *const verdicts[NODES] = {"none", "deadlock", "suspected"};
    char text[8192], stack[2048] = "";
    uint64_t random = (uint64_t)node + 1;
    struct jobs *j = jobs_new();
    char *error = NULL, *json;

    for (int i = 0; i < 24; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        snprintf(stack + strlen(stack), sizeof(stack) - strlen(stack), "%s\"f%016llx, a.c:%d\"",
                 i ? ", " : "", (unsigned long long)random, i);
    }
    snprintf(
        text, sizeof(text),
        "{\"schema\": 1, \"kind\": \"job\", \"jobs\": [{\"job\": \"7\", \"step\": \"0\", \"size\": %d, "
        "\"states\": [{\"state\": {\"program\": \"prog%d\", \"verdict\": \"%s\", \"sentence\": \"It is "
        "%d.\", "
        "\"threads\": [{\"count\": %d, \"openmp\": true, \"numbers\": [[0, %d]], \"team_size\": 4, \"kind\": "
        "\"MPI_Recv\", \"does\": \"in MPI_Recv\", \"at\": \"main, a.c:%d\", \"stack\": [%s]}, {\"count\": 2, "
        "\"kind\": \"idle\", \"does\": \"idle\"}], \"tasks\": [{\"what\": \"ready\", \"at_least\": 10}]}, "
        "\"hosts\": [{\"host\": \"n%d\", \"boot_id\": \"b\", \"processes\": [[%d, %d, 5, 9]]}]}]}], "
        "\"failed\": []}",
        NODES, node, verdicts[node], node, node + 1, node, node + 40, stack, node, node, 100 + node);
    require(j && jobs_add(j, text, strlen(text), &error) && jobs_count(j) == 1);
    json = jobs_json(j);
    jobs_free(j);
    require(json != NULL);
    return json;
}

static void prepare(void)
{
    struct jobs *j = jobs_new();

    for (int i = 0; i < NODES; i++) {
        char *error = NULL;

        snprintf(sent[i].host, sizeof(sent[i].host), "n%d", i);
        sent[i].document = document_of(i);
        sent[i].lines = frames_write(sent[i].document, sent[i].host);
        require(sent[i].lines && jobs_add(j, sent[i].document, strlen(sent[i].document), &error));
    }
    merged = jobs_json(j);
    require(merged && jobs_complete(j) && strlen(merged) < TEXT_MAX / 2);
    jobs_free(j);
}

/* ---- what is asked of all ----------------------------------------------------------------------------- */

static void shown(char *text)
{
    require(text != NULL);
    for (char *at = text, *end; *at; at = end) {
        end = at + strcspn(at, "\n");
        if (*end)
            *end++ = '\0';
        require(printable_all(at));
    }
    free(text);
}

/* One of the views, by turns. */
static void show(struct jobs *j, struct jobs *again, unsigned turn)
{
    struct jobs_options options = {.rank = -1, .width = turn & 8 ? 80 : 0};
    bool same;

    switch (turn % 7) {
    case 0:
        shown(jobs_diff(j, again, &options, &same));
        require(same);
        break;
    case 1:
        shown(jobs_text(j, &options));
        break;
    case 2:
        shown(jobs_tree(j, &options));
        break;
    case 3:
        shown(jobs_dot(j, &options));
        break;
    case 4:
        shown(jobs_html(j, &options));
        break;
    case 5:
        options.zoom = 1 + (turn >> 4) % 3;
        shown(jobs_text(j, &options));
        break;
    default:
        options.rank = (turn >> 4) % 4;
        shown(jobs_text(j, &options));
    }
}

static void ask_again(struct jobs *j, unsigned turn)
{
    struct jobs *again = jobs_new();
    char *error = NULL, *json = jobs_json(j), *second;
    bool complete = jobs_complete(j);

    require(json && again && (jobs_add(again, json, strlen(json), &error) || !jobs_count(j)));
    insp_string_free(error);
    second = jobs_json(again);
    require(second && !strcmp(json, second) && complete == jobs_complete(again));
    require(jobs_count(j) == jobs_count(again));
    show(j, again, turn);
    free(json);
    free(second);
    jobs_free(again);
}

/* By turns, as it takes most of the time. */
static void ask(struct jobs *j, unsigned turn)
{
    if (turn % 7 == 0 || turn % 4 == 1)
        ask_again(j, turn);
    else
        show(j, j, turn);
}

/* ---- lines -------------------------------------------------------------------------------------------- */

struct receiver {
    struct jobs *j;
    bool any;
};

/* An answer is one of those that were sent, to the byte. */
static void receive(void *arg, const char *host, const char *text, size_t size)
{
    struct receiver *r = arg;
    char *error = NULL;
    int node = 0;

    while (node < NODES && strcmp(sent[node].host, host) != 0)
        node++;
    require(node < NODES && size == strlen(sent[node].document) && !memcmp(text, sent[node].document, size));
    require(jobs_add(r->j, text, size, &error));
    r->any = true;
}

static void receive_failure(void *arg, const char *host, const char *why)
{
    jobs_failed(((struct receiver *)arg)->j, host, why);
}

static void check_lines(const char *text, size_t size, unsigned turn)
{
    struct receiver r = {.j = jobs_new()};
    const struct frames_sink sink = {receive, receive_failure, &r, NULL};
    bool found = frames_read(text, size, &sink);

    require(found || (!r.any && !jobs_failures(r.j)));
    for (size_t i = 0; i < jobs_count(r.j); i++) {
        const struct member *m = &r.j->members[i];
        char program[16];

        snprintf(program, sizeof(program), "prog%d", (int)m->rank);
        require(!strcmp(json_string_value(json_object_get(r.j->states[m->state].state, "program")), program));
        require(m->host[1] - '0' == m->rank && m->pid == 100 + m->rank);
    }
    require(jobs_count(r.j) <= NODES &&
            (jobs_count(r.j) == NODES || !jobs_count(r.j) || !jobs_complete(r.j)));
    if (found)
        ask(r.j, turn);
    jobs_free(r.j);
}

struct line {
    char *text;
    size_t size;
};

static size_t split(struct line *lines)
{
    size_t n = 0;

    for (int i = 0; i < NODES; i++)
        for (const char *at = sent[i].lines; *at && n < LINES_MAX; at = strchr(at, '\n') + 1, n++) {
            lines[n].size = (size_t)(strchr(at, '\n') - at);
            lines[n].text = strndup(at, lines[n].size);
            require(lines[n].text != NULL);
        }
    return n;
}

/* A piece of FROM is put into TO, over what is there or between it: as when two programs write at a time. */
static void mix(struct line *to, const struct line *from, size_t at, size_t length, bool over)
{
    size_t begin = from->size ? at % from->size : 0;
    char *text;

    at = to->size ? at % to->size : 0;
    length = length < from->size - begin ? length : from->size - begin;
    if (over)
        length = length < to->size - at ? length : to->size - at;
    text = malloc(to->size + length + 1);
    require(text != NULL);
    memcpy(text, to->text, at);
    memcpy(text + at, from->text + begin, length);
    memcpy(text + at + length, to->text + at + (over ? length : 0), to->size - at - (over ? length : 0));
    to->size += over ? 0 : length;
    text[to->size] = '\0';
    free(to->text);
    to->text = text;
}

static void order(struct line *lines, size_t *n, const uint8_t *o)
{
    struct line *line = &lines[o[1] % *n], *other = &lines[o[2] % *n], old;
    size_t at = (size_t)o[2] * 4 + o[3] % 4;

    switch (o[0] % 8) {
    case 0: /* lost */
        free(line->text);
        *line = lines[--*n];
        break;
    case 1: /* twice */
        if (*n == LINES_MAX)
            break;
        lines[*n] = (struct line){strdup(line->text), line->size};
        require(lines[(*n)++].text != NULL);
        break;
    case 2: /* in another order */
        old = *line;
        *line = *other;
        *other = old;
        break;
    case 3: /* cut */
        line->size = line->size ? at % line->size : 0;
        line->text[line->size] = '\0';
        break;
    case 4: /* damaged */
        if (line->size)
            line->text[at % line->size] = (char)(o[3] ? o[3] : 1);
        break;
    case 5: /* mixed with another */
        mix(line, other, at, o[3], true);
        break;
    case 6:
        mix(line, other, at, o[3], false);
        break;
    default: /* a part of it is lost */
        at = line->size ? at % line->size : 0;
        memmove(line->text + at, line->text + at + (line->size - at < o[3] ? line->size - at : o[3]),
                line->size - at - (line->size - at < o[3] ? line->size - at : o[3]) + 1);
        line->size = strlen(line->text);
    }
}

static void fuzz_lines(const uint8_t *data, size_t size, unsigned turn)
{
    struct line lines[LINES_MAX + 1];
    size_t n = split(lines), length = 0;
    static char text[TEXT_MAX];

    for (; size >= 4 && n > 1; data += 4, size -= 4)
        order(lines, &n, data);
    for (size_t i = 0; i < n; i++) {
        if (length + lines[i].size + 2 < sizeof(text)) {
            memcpy(text + length, lines[i].text, lines[i].size);
            length += lines[i].size;
            text[length++] = '\n';
        }
        free(lines[i].text);
    }
    check_lines(text, length, turn);
}

/* ---- documents ---------------------------------------------------------------------------------------- */

static const char *const words[] = {"null",
                                    "-1",
                                    "9223372036854775807",
                                    "\"\\u001b[31m\"",
                                    "[]",
                                    "{}",
                                    "\"MPI_x\"",
                                    "[[0,2147483647]]",
                                    "[[2,1]]",
                                    "\"<b>&\\\"\"",
                                    "true",
                                    "\"\\u202e\"",
                                    "1e99",
                                    "\"deadlock\"",
                                    "\"\"",
                                    "[[0,1],[1,2]]"};

/* Of a rank whose threads wait for each other, with something of everything. */
static const char report[] =
    "{\"schema\":1,\"complete\":true,\"process\":{\"pid\":103,\"exe\":\"/bin/prog3\",\"host\":\"n3\","
    "\"rank\":3,\"size\":4,\"job\":\"7\",\"step\":\"0\",\"boot_id\":\"b\",\"start\":5,\"taken\":9},"
    "\"runtimes\":[{\"id\":1,\"kind\":\"libgomp\",\"abilities\":[{\"what\":\"tasks\",\"available\":true"
    "}]}],\"threads\":[{\"lwp\":11,\"openmp\":true,\"runtime\":1,\"thread_num\":0,\"team_size\":3,"
    "\"level\":1,\"region\":2,\"task\":2,\"state\":\"wait_lock\",\"wait\":{\"kind\":\"lock\",\"id\":"
    "\"0x412\",\"name\":\"right\",\"owner\":\"somebody\",\"owner_candidates\":[12],\"at\":{"
    "\"function\":\"inner\",\"file\":\"a.c\",\"line\":12}},\"activity\":{\"kind\":\"openmp\",\"owner\":"
    "\"none\",\"at\":null},\"unknown\":{\"wait.owner_lwp\":\"probably LWP 12\"}},{\"lwp\":12,"
    "\"openmp\":true,\"runtime\":1,\"thread_num\":1,\"team_size\":3,\"level\":1,\"region\":2,\"task\":3"
    ",\"state\":\"wait_lock\",\"wait\":{\"kind\":\"lock\",\"id\":\"0x413\",\"name\":\"left\",\"owner\":"
    "\"somebody\",\"owner_candidates\":[11],\"at\":{\"function\":\"inner\",\"file\":\"a.c\",\"line\":13"
    "}},\"activity\":{\"kind\":\"openmp\",\"owner\":\"none\",\"at\":null},\"unknown\":{"
    "\"wait.owner_lwp\":\"probably LWP 11\"}},{\"lwp\":13,\"openmp\":true,\"runtime\":1,\"thread_num\":"
    "2,\"team_size\":3,\"level\":1,\"region\":2,\"task\":4,\"state\":\"wait_barrier\",\"asleep\":true,"
    "\"wait\":{\"kind\":\"barrier\",\"id\":\"0x41\",\"object\":2,\"owner\":\"none\",\"barrier\":"
    "\"unknown\",\"arrived\":[2],\"missing\":[0,1],\"missing_lwp\":[11,12],\"at\":{\"function\":"
    "\"region\",\"file\":\"a.c\",\"line\":31}},\"activity\":null},{\"lwp\":14,\"openmp\":false,"
    "\"activity\":{\"kind\":\"read\",\"call\":\"read\",\"asleep\":true,\"descriptor\":3,\"file\":"
    "\"pipe:[4711]\",\"timeout\":5,\"at\":{\"function\":\"io\",\"file\":\"a.c\",\"line\":50}}}],"
    "\"regions\":[{\"id\":1,\"runtime\":1,\"kind\":\"initial\",\"team_size\":1,\"members\":[{\"lwp\":11"
    "}]},{\"id\":2,\"runtime\":1,\"kind\":\"parallel\",\"parent\":1,\"parent_task\":1,\"level\":1,"
    "\"team_size\":3,\"function\":\"region\",\"file\":\"a.c\",\"line\":29,\"members\":[{\"lwp\":11},{"
    "\"lwp\":12},{\"lwp\":13}]}],\"tasks\":[{\"id\":1,\"runtime\":1,\"kind\":\"initial\",\"state\":"
    "\"suspended\",\"region\":1,\"lwp\":11},{\"id\":2,\"runtime\":1,\"kind\":\"implicit\",\"state\":"
    "\"running\",\"region\":2,\"lwp\":11,\"thread_num\":0},{\"id\":5,\"runtime\":1,\"kind\":"
    "\"explicit\",\"state\":\"ready\",\"region\":2,\"generator\":2,\"file\":\"a.c\",\"line\":8,"
    "\"depends_on\":[2]}],\"loops\":[{\"runtime\":1,\"region\":2,\"lwp\":13,\"schedule\":\"dynamic\","
    "\"iterations\":9,\"left\":2,\"has\":{\"first\":0,\"last\":3,\"count\":4}}],\"icvs\":[{\"runtime\":"
    "1,\"name\":\"cancel-var\",\"scope\":\"global\",\"value\":\"false\",\"of\":{\"lwp\":11}}],"
    "\"stacks\":[{\"lwp\":11,\"frames\":[{\"pc\":\"0x512\",\"function\":\"inner\",\"file\":\"a.c\","
    "\"line\":12,\"symbol\":\"inner\",\"module\":\"/bin/prog3\",\"code\":\"user\"},{\"pc\":\"0x540\","
    "\"function\":\"main\",\"file\":\"a.c\",\"line\":40,\"symbol\":\"main\",\"module\":\"/bin/prog3\","
    "\"code\":\"user\"}]},{\"lwp\":12,\"frames\":[{\"pc\":\"0x513\",\"function\":\"inner\",\"file\":"
    "\"a.c\",\"line\":13,\"symbol\":\"inner\",\"module\":\"/bin/prog3\",\"code\":\"user\"}]},{\"lwp\":1"
    "4,\"frames\":[{\"pc\":\"0x51\",\"function\":\"read\",\"file\":\"a.c\",\"line\":1,\"symbol\":"
    "\"read\",\"module\":\"/bin/prog3\",\"code\":\"libc\"},{\"pc\":\"0x550\",\"function\":\"io\","
    "\"file\":\"a.c\",\"line\":50,\"symbol\":\"io\",\"module\":\"/bin/prog3\",\"code\":\"user\"}]}],"
    "\"problems\":[{\"what\":\"x\",\"why\":\"LWP 12\"}],\"edges\":[{\"from\":1}]}";

/* The COUNT-th value or so of the document is another one. */
static void put_word(char *text, size_t *length, size_t count, const char *word)
{
    size_t n = strlen(word);

    for (char *at = strchr(text, ':'); at; at = strchr(at + 1, ':')) {
        size_t old = strcspn(at + 1, ",]}\n");

        if (count--)
            continue;
        if (*length - old + n + 1 < TEXT_MAX) {
            memmove(at + 1 + n, at + 1 + old, *length - (size_t)(at + 1 - text) - old + 1);
            for (size_t i = 0; i < n; i++)
                at[1 + i] = word[i];
            *length += n - old;
        }
        return;
    }
}

static void add(const char *text, size_t size, unsigned turn)
{
    struct jobs *j = jobs_new();
    char *error = NULL;
    bool good = jobs_add(j, text, size, &error);

    require(good ? !error : !error || printable_all(error));
    if (!good)
        jobs_failed(j, "n", error);
    insp_string_free(error);
    ask(j, turn);
    jobs_free(j);
}

static void fuzz_document(const char *whole, const uint8_t *data, size_t size, unsigned turn)
{
    static char text[TEXT_MAX];
    size_t length = strlen(whole);

    memcpy(text, whole, length + 1);
    for (; size >= 3; data += 3, size -= 3) {
        size_t at = (data[1] << 8 | data[2]) % (length + 1);

        if (data[0] < 224)
            put_word(text, &length, data[1] + (data[0] & 1u) * 256u,
                     words[data[2] % (sizeof(words) / sizeof(*words))]);
        else if (data[0] < 248 && at < length)
            text[at] = (char)(data[0] + 32);
        else
            text[length = at] = '\0';
    }
    add(text, length, turn);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned turn;

    if (!merged)
        prepare();
    if (!size)
        return 0;
    turn = data[0] >> 2;
    for (size_t i = 1; i < size; i++)
        turn += data[i];
    switch (data[0] % 4) {
    case 0:
    case 1:
        fuzz_lines(data + 1, size - 1, turn);
        break;
    case 2:
        fuzz_document(data[0] & 4 ? report : merged, data + 1, size - 1, turn);
        break;
    default:
        check_lines((const char *)data + 1, size - 1, turn);
        add((const char *)data + 1, size - 1, turn);
    }
    return 0;
}
