// SPDX-License-Identifier: Apache-2.0
// Files that processes share: who opens them, and who gets what, also when the one that was to open a file
// ends, gives nothing, or never comes to an end. Each child is a process; what it was answered is compared
// with the file that it was about, by fstat.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <poll.h>
#include <string>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern "C" {
#include "command/broker.h"
}

namespace
{
using Work = std::function<int(const cf_shared_files &)>;

/** Made with a name of their own, so that each is told from the others. */
int file(const char *text)
{
    int fd = memfd_create(text, MFD_CLOEXEC);

    EXPECT_EQ(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    return fd;
}

bool same(int a, int b)
{
    struct stat x, y;

    return !fstat(a, &x) && !fstat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

struct Asked {
    int rc, fd = -1, error = 0;
};

Asked get(const cf_shared_files &files, const std::string &key, uint64_t room = 0)
{
    Asked a;

    a.rc = files.get(files.arg, key.data(), key.size(), room, &a.fd, &a.error);
    return a;
}

class Broker : public testing::Test
{
  protected:
    struct Child {
        pid_t pid;
        int socket;
    };

    ~Broker() override { broker_free(broker); }

    void start(const Work &work)
    {
        int ends[2];
        pid_t pid;

        ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
        ASSERT_EQ(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
        pid = fork();
        if (!pid)
            _exit(work(*broker_files(broker, ends[1])));
        close(ends[1]);
        children.push_back({pid, ends[0]});
    }

    /** Serves all that is asked until the children from FIRST on have ended; their exit statuses. */
    std::vector<int> serve()
    {
        std::vector<int> statuses;
        bool any = true;

        while (any) {
            any = false;
            for (size_t i = 0; i < children.size(); i++) {
                struct pollfd p = {children[i].socket, POLLIN, 0};

                any |= children[i].socket >= 0;
                if (children[i].socket >= 0 && poll(&p, 1, 10) > 0 && !broker_serve(broker, i, p.fd)) {
                    close(p.fd);
                    children[i].socket = -1;
                }
            }
        }
        for (const Child &c : children) {
            int status = -1;

            waitpid(c.pid, &status, 0);
            statuses.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : -1);
        }
        children.clear();
        return statuses;
    }

    struct broker *broker = broker_new(1000);
    std::vector<Child> children;
};

constexpr int OPENED = 10, GOT = 11, OTHER = 12, NOTHING = 13, REFUSED = 14;

/** Asks for KEY, and opens FD if it is told to. */
Work user(const char *key, int fd, uint64_t room = 0)
{
    return [=](const cf_shared_files &files) {
        Asked a = get(files, key, room);

        if (a.rc > 0) {
            usleep(20000); // the others ask meanwhile
            files.give(files.arg, fd, 0);
            return OPENED;
        }
        return a.rc < 0 ? NOTHING : a.fd < 0 ? REFUSED : same(a.fd, fd) ? GOT : OTHER;
    };
}

size_t count(const std::vector<int> &statuses, int status)
{
    return (size_t)std::count(statuses.begin(), statuses.end(), status);
}

TEST_F(Broker, OneOpensAndAllHaveIt)
{
    int fd = file("one");

    for (int i = 0; i < 6; i++)
        start(user("key", fd));
    std::vector<int> statuses = serve();
    EXPECT_EQ(count(statuses, OPENED), 1u);
    EXPECT_EQ(count(statuses, GOT), 5u);
    // Also who comes later.
    start(user("key", fd));
    EXPECT_EQ(serve(), std::vector<int>{GOT});
}

TEST_F(Broker, KeysAreWhole)
{
    std::vector<std::string> keys = {"a", "ab", std::string("a\0b", 3), std::string("a\0c", 3), ""};

    for (const std::string &key : keys) {
        start([=](const cf_shared_files &files) { return get(files, key).rc; });
        EXPECT_EQ(serve(), std::vector<int>{1}) << key;
    }
    // Longer than any, it is nobody's.
    start([](const cf_shared_files &files) { return get(files, std::string(1 << 16, 'x')).rc < 0; });
    EXPECT_EQ(serve(), std::vector<int>{1});
}

TEST_F(Broker, WhyItCannotBeOpened)
{
    for (int i = 0; i < 2; i++) {
        start([](const cf_shared_files &files) {
            Asked a = get(files, "refused");

            if (a.rc > 0)
                files.give(files.arg, -1, EXDEV);
            return a.rc > 0 ? OPENED : a.rc < 0 || a.fd >= 0 ? OTHER : a.error;
        });
        EXPECT_EQ(serve(), std::vector<int>{i ? EXDEV : OPENED});
    }
}

TEST_F(Broker, WhatCannotBeSharedEachOpens)
{
    int fd = file("own");

    start(user("own", -1));
    EXPECT_EQ(serve(), std::vector<int>{OPENED});
    start(user("own", fd));
    EXPECT_EQ(serve(), std::vector<int>{NOTHING});
}

TEST_F(Broker, WhoEndsLeavesItToTheNext)
{
    int fd = file("left");

    start([](const cf_shared_files &files) {
        int rc = get(files, "left").rc;

        usleep(100000);
        return rc == 1 ? kill(getpid(), SIGKILL) : OTHER;
    });
    usleep(20000);
    start(user("left", fd));
    start(user("left", fd));
    std::vector<int> statuses = serve();
    EXPECT_EQ(statuses[0], -1);
    EXPECT_EQ(count(statuses, OPENED), 1u);
    EXPECT_EQ(count(statuses, GOT), 1u);
    // And when nobody waits, to who comes later.
    start([](const cf_shared_files &files) { return get(files, "later").rc; });
    EXPECT_EQ(serve(), std::vector<int>{1});
    start(user("later", fd));
    EXPECT_EQ(serve(), std::vector<int>{OPENED});
}

TEST_F(Broker, WhoNeverOpensItHoldsUpNobody)
{
    int ends[2];

    ASSERT_EQ(pipe(ends), 0);
    start([&](const cf_shared_files &files) {
        char c;
        int rc = get(files, "stuck").rc;

        close(ends[1]);
        return read(ends[0], &c, 1) ? OTHER : rc; // until the other has ended
    });
    start([&](const cf_shared_files &files) {
        usleep(200000);
        return get(files, "stuck").rc < 0 && get(files, "another").rc < 0 ? NOTHING : OTHER;
    });
    close(ends[1]);
    close(ends[0]);
    EXPECT_EQ(serve(), (std::vector<int>{1, NOTHING}));
}

TEST_F(Broker, MemoryIsBounded)
{
    int fd = file("large");

    start(user("larger", fd, 1001));
    EXPECT_EQ(serve(), std::vector<int>{NOTHING});
    // What was not made takes nothing, nor what its maker has not come to.
    start(user("failed", -1, 1000));
    EXPECT_EQ(serve(), std::vector<int>{OPENED});
    start([](const cf_shared_files &files) { return get(files, "dropped", 1000).rc; });
    EXPECT_EQ(serve(), std::vector<int>{1});
    start(user("most", fd, 600));
    EXPECT_EQ(serve(), std::vector<int>{OPENED});
    start(user("more", fd, 401));
    EXPECT_EQ(serve(), std::vector<int>{NOTHING});
    start(user("rest", fd, 400));
    start(user("most", fd, 600));
    EXPECT_EQ(serve(), (std::vector<int>{OPENED, GOT}));
}

TEST_F(Broker, NonsenseIsNotHeard)
{
    int ends[2], fd = file("given");
    const std::vector<std::string> said = {"", "x", std::string(16, '\0'), std::string(16, '\xff')};

    for (const std::string &text : said) {
        ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
        ASSERT_EQ(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
        EXPECT_TRUE(broker_serve(broker, 0, ends[0])); // nothing yet
        EXPECT_EQ(send(ends[1], text.data(), text.size(), 0), (ssize_t)text.size());
        EXPECT_FALSE(broker_serve(broker, 0, ends[0]));
        close(ends[0]);
        close(ends[1]);
    }
    // Given by who was not asked to.
    start([=](const cf_shared_files &files) {
        files.give(files.arg, fd, 0);
        return get(files, "given").rc < 0 ? NOTHING : OTHER;
    });
    EXPECT_EQ(serve(), std::vector<int>{NOTHING});
}
} // namespace
