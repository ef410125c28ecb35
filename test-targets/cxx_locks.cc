/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C++: a class with an array of locks, and queued tasks that carry firstprivate objects with destructors.
 * Thread 0 holds locks[17] and works, thread 1 waits for it, thread 2 works.
 */
#include "truth.h"

#include <memory>
#include <string>

namespace
{

class Grid
{
  public:
    Grid()
    {
        for (omp_lock_t &lock : locks)
            omp_init_lock(&lock);
    }
    void take(int i) { omp_set_lock(&locks[i]); }
    omp_lock_t locks[32];
};

class Parcel
{
  public:
    explicit Parcel(int number) : text_(std::make_shared<std::string>(std::to_string(number))) {}
    Parcel(const Parcel &) = default;
    ~Parcel() { text_.reset(); }
    const std::string &text() const { return *text_; }

  private:
    std::shared_ptr<std::string> text_;
};

int owner, sum;

} // namespace

static Grid grid;

int main()
{
    const int tasks = 6;
    truth_start("cxx_locks", 3, 0, 0);
    truth_tasks(tasks, 0, tasks, 0, 0, 0);
#pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
        if (me == 0) {
            for (int i = 0; i < tasks; i++) {
                Parcel parcel(i);
#pragma omp task firstprivate(parcel)
                truth_set(&sum, static_cast<int>(parcel.text().size()));
            }
            grid.take(17);
            truth_set(&owner, truth_tid());
        } else if (me == 1) {
            truth_await(&owner, 1);
            truth_waits("wait_lock", "lock", &grid.locks[17], truth_get(&owner), "grid.locks[17]",
                        __LINE__ + 1);
            omp_set_lock(&grid.locks[17]);
        }
        truth_works();
        busy_here();
    }
}
