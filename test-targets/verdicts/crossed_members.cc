// SPDX-License-Identifier: Apache-2.0
// Deadlock: transfers between two accounts, each of which has a lock of its own as a member.
#include "verdict.h"

namespace bank
{

class Account
{
  public:
    Account() { omp_init_lock(&lock_); }
    void lock() { omp_set_lock(&lock_); }

  private:
    omp_lock_t lock_;
};

Account accounts[16];
int holds[2];

void transfer(const char *name, int me, Account &from, Account &to)
{
    from.lock();
    truth_set(&holds[me], 1);
    truth_await(&holds[1 - me], 1);
    VERDICT_STAYS_SOMEWHERE(name);
    to.lock();
}

} // namespace bank

int main()
{
    VERDICT(2, 0, "deadlock", "A B",
            "Deadlock: {A} holds lock bank::accounts[3].lock_ and waits for lock "
            "bank::accounts[11].lock_ at crossed_members.cc:12; {B} holds lock bank::accounts[11].lock_ "
            "and waits for lock bank::accounts[3].lock_ at crossed_members.cc:12.");
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0)
            bank::transfer("A", 0, bank::accounts[3], bank::accounts[11]);
        else
            bank::transfer("B", 1, bank::accounts[11], bank::accounts[3]);
    }
}
