// SPDX-License-Identifier: Apache-2.0
// Places and placement on machines that are not here: 64 processors, two sockets, two threads a core.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "runtime/core/cgroup.h"
#include "runtime/core/env_parse.h"
#include "runtime/core/limits.h"
#include "runtime/core/places_parse.h"

namespace
{

// A machine numbered as Linux does: first one thread of each core, then the others. Two caches and nodes a
// socket.
class Machine
{
  public:
    Machine(int sockets, int cores, int threads)
    {
        int per_cache = std::max(1, cores / 2);
        for (int s = 0; s < sockets; s++)
            for (int c = 0; c < cores; c++)
                for (int t = 0; t < threads; t++) {
                    int core = s * cores + c;
                    rt_cpu cpu = {};
                    cpu.id = t * sockets * cores + core;
                    cpu.group[RT_LAYER_SOCKET] = s * cores;
                    cpu.group[RT_LAYER_NUMA] = cpu.group[RT_LAYER_CACHE] = core - c % per_cache;
                    cpu.group[RT_LAYER_CORE] = core;
                    cpu.group[RT_LAYER_THREAD] = cpu.id;
                    cpus_.push_back(cpu);
                    rt_cpus_add(&machine.allowed, cpu.id);
                }
        machine.root = "/nowhere";
        machine.count = (int)cpus_.size();
        machine.cpus = cpus_.data();
        rt_machine_sort(&machine);
    }
    rt_machine machine = {};

  private:
    std::vector<rt_cpu> cpus_;
};

std::string text_of(const rt_place_list &list)
{
    std::string text(rt_places_text(&list, nullptr, 0), '\0');
    rt_places_text(&list, text.data(), text.size() + 1);
    return text;
}

// What OMP_PLACES=value becomes on the machine; "!" and the reason if it is refused.
std::string places(const std::string &value, Machine &on)
{
    rt_place_list list;
    const char *wrong = rt_places_parse(value.c_str(), &on.machine, &list);
    if (wrong != nullptr)
        return std::string("!") + wrong;
    rt_places_filter(&list, &on.machine.allowed);
    std::string text = text_of(list);
    rt_places_free(&list);
    return text;
}

std::string cpu_list(const std::string &value)
{
    rt_place_list list;
    if (rt_places_parse_cpus(value.c_str(), &list) != nullptr)
        return "!";
    std::string text = text_of(list);
    rt_places_free(&list);
    return text;
}

TEST(Places, GrammarOfOmpPlaces)
{
    Machine flat(1, 16, 1);
    const std::pair<const char *, const char *> rows[] = {
        {"{0,1,2,3},{4,5,6,7}", "{0:4},{4:4}"}, // the four spellings of OpenMP 5.2 section 21.1.6
        {"{0:4},{4:4},{8:4},{12:4}", "{0:4},{4:4},{8:4},{12:4}"},
        {"{0:4}:4:4", "{0:4},{4:4},{8:4},{12:4}"},
        {"{0,1,2,3},{4:4},{8:2,10,11}", "{0:4},{4:4},{8:4}"},
        {" { 0 : 4 } : 2 : 4 ", "{0:4},{4:4}"},
        {"{0:3:4}", "{0,4,8}"},
        {"{8:3:-4}", "{0,4,8}"},
        {"{0:2:0}", "{0}"},
        {"{3}:3:-1", "{3},{2},{1}"},
        {"{2}:3:-1", "{2},{1},{0}"},
        {"{0}:2:0", "{0},{0}"},
        {"0,1", "{0},{1}"},
        {"4:3", "{4},{5},{6}"},
        {"4:3:2", "{4},{6},{8}"},
        {"{0:8,!3}", "{0:3,4:4}"},
        {"{0,!0,1}", "{1}"},
        {"{0},{1},!{0}", "{1}"},
        {"{0:2},!{0,1},{2}", "{2}"},
        {"{0},{99},{1}", "{0},{1}"}, // a processor that is not there, and the place with it
        {"{14:4}", "{14:2}"},
        {"{0}:100", "{0},{1},{2},{3},{4},{5},{6},{7},{8},{9},{10},{11},{12},{13},{14},{15}"},
        {"threads(3)", "{0},{1},{2}"},
        {"CORES ( 2 )", "{0},{1}"},
        {"cores(3:4)", "{0},{4},{8}"},
        {"sockets(9)", "{0:16}"},
    };
    for (const auto &row : rows)
        EXPECT_EQ(places(row.first, flat), row.second) << row.first;
}

TEST(Places, WhatOmpPlacesRefuses)
{
    Machine flat(1, 16, 1);
    for (const char *value :
         {"",           " ",        "{",        "{}",        "{0",       "{0,}",     "{0}}",
          "{0},",       ",{0}",     "{0}:0",    "{0}:-1",    "{0:0}",    "{0:-2}",   "{-1}",
          "{0}:2:",     "{0}:x",    "{1:3:-1}", "{1}:3:-1",  "!{0}",     "{0},!{1}", "{!0:2}",
          "{0},!{0}:2", "cores(0)", "cores()",  "cores(2",   "cores 2",  "core",     "threads,cores",
          "{a}",        "{0} {1}",  "0-3",      "{0:1:2:3}", "{0}:1:2:3"})
        EXPECT_EQ(places(value, flat).substr(0, 1), "!") << value;
    EXPECT_EQ(places("{1}:3:-1", flat), "!a processor's number would be negative");
    EXPECT_EQ(places("{0}:1000000:0", flat), "!there are too many places");
}

TEST(Places, AbstractNamesFollowTheTopology)
{
    Machine big(2, 16, 2);
    EXPECT_EQ(places("sockets", big), "{0:16,32:16},{16:16,48:16}");
    EXPECT_EQ(places("numa_domains", big), "{0:8,32:8},{8:8,40:8},{16:8,48:8},{24:8,56:8}");
    EXPECT_EQ(places("ll_caches(2)", big), "{0:8,32:8},{8:8,40:8}");
    EXPECT_EQ(places("cores(3)", big), "{0,32},{1,33},{2,34}");
    EXPECT_EQ(places("threads(4)", big), "{0},{32},{1},{33}"); // neighbours share the core
    EXPECT_EQ(places("{60}:8", big), "{60},{61},{62},{63}");
}

TEST(Places, AThousandProcessors)
{
    Machine huge(4, 128, 2);
    rt_place_list list;
    ASSERT_EQ(rt_places_parse("threads", &huge.machine, &list), nullptr);
    EXPECT_EQ(list.count, 1024);
    std::set<int> seen;
    for (int i = 0; i < list.count; i++) {
        EXPECT_EQ(rt_cpus_count(&list.places[i]), 1);
        seen.insert(rt_cpus_next(&list.places[i], 0));
    }
    EXPECT_EQ(seen.size(), 1024u);
    EXPECT_EQ(*seen.rbegin(), 1023);
    rt_places_free(&list);
    EXPECT_EQ(places("{1000:48}", huge), "{1000:24}");
}

TEST(Places, ListsOfProcessors)
{
    EXPECT_EQ(cpu_list("0 3 1-2 4-15:2"), "{0},{3},{1},{2},{4},{6},{8},{10},{12},{14}"); // libgomp's manual
    EXPECT_EQ(cpu_list("1,0"), "{1},{0}");
    EXPECT_EQ(cpu_list("3,{1,2},0"), "{3},{1:2},{0}");
    EXPECT_EQ(cpu_list("{0-2,7}"), "{0:3,7}");
    for (const char *bad : {"", "x", "2-1", "0-", "0-4:0", "-1", "{0", "{}", "0;1"})
        EXPECT_EQ(cpu_list(bad), "!") << bad;
}

TEST(Places, KmpAffinityOrders)
{
    Machine small(2, 2, 2); // cores {0,4} {1,5} on one socket, {2,6} {3,7} on the other
    auto sorted = [&](rt_layer layer, int permute, int offset) {
        rt_place_list list;
        rt_places_sorted(&small.machine, layer, permute, offset, &list);
        std::string text = text_of(list);
        rt_places_free(&list);
        return text;
    };
    EXPECT_EQ(sorted(RT_LAYER_THREAD, 0, 0), "{0},{4},{1},{5},{2},{6},{3},{7}"); // compact
    EXPECT_EQ(sorted(RT_LAYER_THREAD, 1, 0), "{0},{1},{2},{3},{4},{5},{6},{7}"); // compact,1
    EXPECT_EQ(sorted(RT_LAYER_THREAD, 2, 0), "{0},{2},{1},{3},{4},{6},{5},{7}"); // scatter
    EXPECT_EQ(sorted(RT_LAYER_CORE, 0, 0), "{0,4},{1,5},{2,6},{3,7}");
    EXPECT_EQ(sorted(RT_LAYER_CORE, 2, 0), "{0,4},{2,6},{1,5},{3,7}");
    EXPECT_EQ(sorted(RT_LAYER_CORE, 0, 3), "{3,7},{0,4},{1,5},{2,6}");
    EXPECT_EQ(sorted(RT_LAYER_SOCKET, 0, 0), "{0:2,4:2},{2:2,6:2}");
}

TEST(Places, HardwareSubset)
{
    auto subset = [](const char *text) {
        Machine big(2, 8, 2);
        const char *wrong = rt_machine_subset(&big.machine, text);
        if (wrong != nullptr)
            return std::string("!");
        char list[512];
        rt_cpus_text(&big.machine.allowed, RT_CPUS_RANGES, list, sizeof list);
        return std::string(list);
    };
    EXPECT_EQ(subset("1s,4c,1t"), "0-3");
    EXPECT_EQ(subset("4c,1t"), "0-3,8-11"); // of each socket
    EXPECT_EQ(subset("1s@1,2c@6,2t"), "14-15,30-31");
    EXPECT_EQ(subset("1t@1"), "16-31");
    EXPECT_EQ(subset("1n,1c,1t"), "0,8");
    EXPECT_EQ(subset("2 sockets , 1 core"), "0,8,16,24");
    EXPECT_EQ(subset("*s,1c,1t"), "0,8");
    for (const char *bad : {"", "3s", "9c", "1t@2", "2q", "1s,1s", "1s 2c", "4c:eff1"})
        EXPECT_EQ(subset(bad), "!") << bad;
}

// ---- placement: OpenMP 5.2 section 10.1.3 as properties of every case ----

struct Team {
    std::vector<rt_placement> threads;
    Team(rt_bind policy, int threads, int parent, int first, int count)
    {
        rt_placing in = {policy, threads, parent, first, count};
        for (int i = 0; i < threads; i++)
            this->threads.push_back(rt_placement_of(&in, i));
    }
};

const int kFirst = 5; // partitions need not start at place 0

TEST(Placement, PrimaryKeepsAllAtTheParentsPlace)
{
    for (const auto &thread : Team(RT_BIND_PRIMARY, 9, kFirst + 2, kFirst, 4).threads) {
        EXPECT_EQ(thread.place, kFirst + 2);
        EXPECT_EQ(thread.part_first, kFirst);
        EXPECT_EQ(thread.part_count, 4);
    }
}

TEST(Placement, CloseWithEnoughPlacesTakesOneAfterTheOther)
{
    for (int places = 1; places <= 20; places++)
        for (int threads = 1; threads <= places; threads++)
            for (int parent = 0; parent < places; parent++) {
                Team team(RT_BIND_CLOSE, threads, kFirst + parent, kFirst, places);
                for (int i = 0; i < threads; i++) {
                    ASSERT_EQ(team.threads[i].place, kFirst + (parent + i) % places);
                    ASSERT_EQ(team.threads[i].part_first, kFirst);
                    ASSERT_EQ(team.threads[i].part_count, places);
                }
            }
}

TEST(Placement, WithMoreThreadsThanPlacesEachGetsConsecutiveOnes)
{
    for (rt_bind policy : {RT_BIND_CLOSE, RT_BIND_SPREAD})
        for (int places = 1; places <= 20; places++)
            for (int threads = places + 1; threads <= 70; threads++)
                for (int parent = 0; parent < places; parent++) {
                    Team team(policy, threads, kFirst + parent, kFirst, places);
                    std::map<int, int> held;
                    ASSERT_EQ(team.threads[0].place, kFirst + parent);
                    for (int i = 0; i < threads; i++) {
                        const rt_placement &thread = team.threads[i];
                        held[thread.place]++;
                        if (i > 0) {
                            int step = (thread.place - team.threads[i - 1].place + places) % places;
                            ASSERT_TRUE(step == 0 || step == 1 || places == 1);
                        }
                        ASSERT_EQ(thread.part_first, policy == RT_BIND_SPREAD ? thread.place : kFirst);
                        ASSERT_EQ(thread.part_count, policy == RT_BIND_SPREAD ? 1 : places);
                    }
                    ASSERT_EQ((int)held.size(), places);
                    for (const auto &place : held) {
                        ASSERT_GE(place.second, threads / places);
                        ASSERT_LE(place.second, (threads + places - 1) / places);
                    }
                }
}

TEST(Placement, SpreadDividesThePartition)
{
    for (int places = 1; places <= 40; places++)
        for (int threads = 1; threads <= places; threads++)
            for (int parent = 0; parent < places; parent++) {
                Team team(RT_BIND_SPREAD, threads, kFirst + parent, kFirst, places);
                std::set<int> covered;
                ASSERT_EQ(team.threads[0].place, kFirst + parent);
                for (int i = 0; i < threads; i++) {
                    const rt_placement &thread = team.threads[i];
                    int end = thread.part_first + thread.part_count;
                    ASSERT_GE(thread.part_count, places / threads);
                    ASSERT_LE(thread.part_count, (places + threads - 1) / threads);
                    ASSERT_GE(thread.place, thread.part_first);
                    ASSERT_LT(thread.place, end);
                    if (i > 0) {
                        ASSERT_EQ(thread.place, thread.part_first);
                        int next = team.threads[i - 1].part_first + team.threads[i - 1].part_count;
                        ASSERT_EQ(thread.part_first, next == kFirst + places ? kFirst : next);
                    }
                    for (int place = thread.part_first; place < end; place++)
                        ASSERT_TRUE(covered.insert(place).second);
                }
                ASSERT_EQ((int)covered.size(), places);
                ASSERT_EQ(*covered.begin(), kFirst);
            }
}

TEST(Placement, TheExamplesOfTheSpecificationsAppendix)
{
    // Examples 5.2, "affinity.1": eight places p0 .. p7; four threads from p0, and sixteen.
    auto places_of = [](const Team &team) {
        std::vector<int> places;
        for (const auto &thread : team.threads)
            places.push_back(thread.place);
        return places;
    };
    EXPECT_EQ(places_of(Team(RT_BIND_SPREAD, 4, 0, 0, 8)), (std::vector<int>{0, 2, 4, 6}));
    EXPECT_EQ(places_of(Team(RT_BIND_SPREAD, 4, 2, 0, 8)), (std::vector<int>{2, 4, 6, 0}));
    EXPECT_EQ(places_of(Team(RT_BIND_CLOSE, 4, 2, 0, 8)), (std::vector<int>{2, 3, 4, 5}));
    EXPECT_EQ(places_of(Team(RT_BIND_SPREAD, 16, 0, 0, 8)),
              (std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7}));
    EXPECT_EQ(places_of(Team(RT_BIND_CLOSE, 16, 6, 0, 8)),
              (std::vector<int>{6, 6, 7, 7, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}));
    EXPECT_EQ(places_of(Team(RT_BIND_CYCLE, 5, 1, 0, 3)), (std::vector<int>{1, 2, 0, 1, 2}));
}

TEST(Placement, AParentOutsideItsPartitionCountsAsAtTheFirstPlace)
{
    EXPECT_EQ(Team(RT_BIND_CLOSE, 2, -1, kFirst, 4).threads[0].place, kFirst);
    EXPECT_EQ(Team(RT_BIND_SPREAD, 2, 3, kFirst, 4).threads[1].place, kFirst + 2);
}

// ---- what is read from the kernel ----

class Files : public testing::Test
{
  protected:
    void SetUp() override
    {
        const char *base = getenv("TEST_TMPDIR");
        root_ = std::string(base != nullptr ? base : "/tmp") + "/placesXXXXXX";
        ASSERT_NE(mkdtemp(root_.data()), nullptr);
    }
    void write(const std::string &path, const std::string &text)
    {
        for (size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1))
            mkdir((root_ + path.substr(0, at)).c_str(), 0755);
        std::ofstream(root_ + path) << text << '\n';
    }
    std::string root_;
};

TEST_F(Files, TopologyFromSys)
{
    for (int id = 0; id < 8;
         id++) { // two sockets of two cores of two threads; one cache a core pair, one node a socket
        std::string cpu = "/sys/devices/system/cpu/cpu" + std::to_string(id);
        int core = id % 4, socket = core / 2;
        write(cpu + "/topology/thread_siblings_list", std::to_string(core) + "," + std::to_string(core + 4));
        write(cpu + "/topology/core_siblings_list", socket ? "2-3,6-7" : "0-1,4-5");
        write(cpu + "/cache/index0/level", "1");
        write(cpu + "/cache/index0/shared_cpu_list", std::to_string(core) + "," + std::to_string(core + 4));
        write(cpu + "/cache/index1/level", "3");
        write(cpu + "/cache/index1/shared_cpu_list", socket ? "2-3,6-7" : "0-1,4-5");
    }
    write("/sys/devices/system/node/online", "0-1");
    write("/sys/devices/system/node/node0/cpulist", "0-1,4-5");
    write("/sys/devices/system/node/node1/cpulist", "2-3,6-7");
    rt_machine machine = {};
    machine.root = root_.c_str();
    rt_cpus_add_list(&machine.allowed, "0-6"); // 7 is not in the mask
    rt_place_list list;
    auto named = [&](const char *name) {
        EXPECT_EQ(rt_places_parse(name, &machine, &list), nullptr);
        std::string text = text_of(list);
        rt_places_free(&list);
        return text;
    };
    EXPECT_EQ(named("threads"), "{0},{4},{1},{5},{2},{6},{3}");
    EXPECT_EQ(named("cores"), "{0,4},{1,5},{2,6},{3}");
    EXPECT_EQ(named("ll_caches"), "{0:2,4:2},{2:2,6}");
    EXPECT_EQ(named("numa_domains"), "{0:2,4:2},{2:2,6}");
    EXPECT_EQ(named("sockets"), "{0:2,4:2},{2:2,6}");
    free(machine.cpus);
}

TEST_F(Files, WithoutSysEachProcessorIsACore)
{
    rt_machine machine = {};
    machine.root = root_.c_str();
    rt_cpus_add_list(&machine.allowed, "3,5");
    rt_place_list list;
    ASSERT_EQ(rt_places_parse("cores", &machine, &list), nullptr);
    EXPECT_EQ(text_of(list), "{3},{5}");
    rt_places_free(&list);
    ASSERT_EQ(rt_places_parse("sockets", &machine, &list), nullptr);
    EXPECT_EQ(text_of(list), "{3,5}");
    rt_places_free(&list);
    free(machine.cpus);
}

TEST_F(Files, QuotaOfCgroupVersion2)
{
    write("/proc/self/cgroup", "0::/a/b");
    EXPECT_EQ(rt_cgroup_quota(root_.c_str()), 0);
    write("/sys/fs/cgroup/a/b/cpu.max", "max 100000");
    EXPECT_EQ(rt_cgroup_quota(root_.c_str()), 0);
    write("/sys/fs/cgroup/a/cpu.max", "250000 100000");
    EXPECT_EQ(rt_cgroup_quota(root_.c_str()), 3); // two and a half processors, and the group around counts
    write("/sys/fs/cgroup/a/b/cpu.max", "50000 100000");
    EXPECT_EQ(rt_cgroup_quota(root_.c_str()), 1);
}

TEST_F(Files, QuotaInAContainerWhosePathIsTheHosts)
{
    write("/proc/self/cgroup", "0::/docker/0123");
    write("/sys/fs/cgroup/cpu.max", "400000 100000");
    EXPECT_EQ(rt_cgroup_quota(root_.c_str()), 4);
}

TEST_F(Files, QuotaOfCgroupVersion1)
{
    write("/proc/self/cgroup", "9:memory:/m\n4:cpu,cpuacct:/g\n3:cpuset:/\n0::/");
    EXPECT_EQ(rt_cgroup_quota(root_.c_str()), 0);
    write("/sys/fs/cgroup/cpu,cpuacct/g/cpu.cfs_quota_us", "-1");
    write("/sys/fs/cgroup/cpu,cpuacct/g/cpu.cfs_period_us", "100000");
    EXPECT_EQ(rt_cgroup_quota(root_.c_str()), 0);
    write("/sys/fs/cgroup/cpu,cpuacct/g/cpu.cfs_quota_us", "150000");
    EXPECT_EQ(rt_cgroup_quota(root_.c_str()), 2);
    write("/proc/self/cgroup", "4:cpuacct,cpu:/g"); // the mount has one of its names
    write("/sys/fs/cgroup/cpu/g/cpu.cfs_quota_us", "300000");
    write("/sys/fs/cgroup/cpu/g/cpu.cfs_period_us", "100000");
    EXPECT_EQ(rt_cgroup_quota(root_.c_str()), 3);
}

TEST_F(Files, ThreadsOfCgroups)
{
    write("/proc/self/cgroup", "8:pids:/job/7\n4:cpu,cpuacct:/g\n0::/a/b");
    EXPECT_EQ(rt_cgroup_threads(root_.c_str()), 0);
    write("/sys/fs/cgroup/a/b/pids.max", "max");
    EXPECT_EQ(rt_cgroup_threads(root_.c_str()), 0);
    write("/sys/fs/cgroup/a/pids.max", "500");
    EXPECT_EQ(rt_cgroup_threads(root_.c_str()), 500);
    write("/sys/fs/cgroup/pids/job/7/pids.max", "77");
    EXPECT_EQ(rt_cgroup_threads(root_.c_str()), 77);
    write("/sys/fs/cgroup/pids.max", "12"); // in a container: its own top
    EXPECT_EQ(rt_cgroup_threads(root_.c_str()), 12);
}

TEST_F(Files, TheSmallestLimitOfThreads)
{
    EXPECT_EQ(rt_limits_read(root_.c_str()).threads,
              4194304); // nothing can be read: Linux itself has no more
    write("/proc/sys/kernel/threads-max", "100000");
    EXPECT_EQ(rt_limits_read(root_.c_str()).threads, 100000);
    EXPECT_STREQ(rt_limits_read(root_.c_str()).what, "kernel.threads-max");
    write("/proc/sys/kernel/pid_max", "32768");
    EXPECT_EQ(rt_limits_read(root_.c_str()).threads, 32768);
    EXPECT_STREQ(rt_limits_read(root_.c_str()).what, "kernel.pid_max");
    write("/proc/self/cgroup", "0::/");
    write("/sys/fs/cgroup/pids.max", "64");
    EXPECT_EQ(rt_limits_read(root_.c_str()).threads, 64);
    EXPECT_STREQ(rt_limits_read(root_.c_str()).what, "pids.max of the cgroup");
    write("/sys/fs/cgroup/pids.max", "garbage");
    EXPECT_EQ(rt_limits_read(root_.c_str()).threads, 32768);
}

// ---- sets and values ----

TEST(Cpus, TextIsCutAsSnprintfCuts)
{
    rt_cpus set = {};
    rt_cpus_add_list(&set, "0-3,8,10-11,4000");
    char text[64];
    EXPECT_EQ(rt_cpus_text(&set, RT_CPUS_RANGES, text, sizeof text), 16u);
    EXPECT_STREQ(text, "0-3,8,10-11,4000");
    EXPECT_EQ(rt_cpus_text(&set, RT_CPUS_RANGES, text, 6), 16u);
    EXPECT_STREQ(text, "0-3,8");
    EXPECT_EQ(rt_cpus_text(&set, RT_CPUS_RANGES, nullptr, 0), 16u);
    rt_cpus none = {};
    EXPECT_EQ(rt_cpus_text(&none, RT_CPUS_RANGES, text, sizeof text), 0u);
    EXPECT_STREQ(text, "");
}

TEST(Cpus, ListsOfPlacesAreCutToo)
{
    Machine flat(1, 4, 1);
    rt_place_list list;
    ASSERT_EQ(rt_places_parse("{0:2},{2}", &flat.machine, &list), nullptr);
    for (size_t size = 0; size <= 12; size++) {
        std::string buffer(13, '#');
        EXPECT_EQ(rt_places_text(&list, buffer.data(), size), 9u);
        if (size > 0) {
            EXPECT_EQ(std::string(buffer.c_str()), std::string("{0:2},{2}").substr(0, size - 1));
        }
        EXPECT_EQ(buffer.find_first_not_of('#', size), std::string::npos) << "wrote behind the buffer";
    }
    rt_places_free(&list);
}

TEST(Values, Sizes)
{
    const std::pair<const char *, uint64_t> rows[] = {{"2000500B", 2000500}, {"3000 k ", 3072000},
                                                      {" 10 M ", 10 << 20},  {"20 m", 20 << 20},
                                                      {" 1G", 1 << 30},      {"20000", 20480000}};
    for (const auto &row : rows) { // all six are the specification's examples
        uint64_t size = 0;
        EXPECT_TRUE(rt_parse_size(row.first, 1, &size)) << row.first;
        EXPECT_EQ(size, row.second) << row.first;
    }
    uint64_t size = 7;
    for (const char *bad : {"", "k", "-1", "0", "1.5M", "10MB", "10 Q", "99999999999999G"})
        EXPECT_FALSE(rt_parse_size(bad, 1, &size)) << bad;
    EXPECT_EQ(size, 7u);
}

} // namespace
