/* SPDX-License-Identifier: Apache-2.0 */
/* Prints what debug information should say of its variables: a line "path|offset in the variable|type|line
   of the variable" for each lock, a line "size|type|bytes" for each class. Also C, but for what C++ alone
   has. */
#include <stddef.h>
#include <stdio.h>

typedef struct {
    void *p;
} omp_lock_t;
typedef omp_lock_t my_lock;

#ifdef __cplusplus
#define CLASS(name) name
struct base {
    long before;
    omp_lock_t lock;
};
#else
#define CLASS(name) struct name
#endif

struct cell {
    char name[5];
    my_lock lock;
    struct cell *next;
};

struct
#ifdef __cplusplus
    grid : base
#else
    grid
#endif
{
    unsigned first : 3, second : 5;
    struct cell cells[2][3];
    union {
        double number;
        omp_lock_t lock;
    } either;
    struct {
        short inner;
        omp_lock_t locks[2];
    } nested;
};

static const int grid_line = __LINE__ + 1;
struct grid grid;
static const int list_line = __LINE__ + 1;
volatile struct cell list[4];

#define SHOW(variable, path, type) \
    printf("%s|%td|%s|%d\n", #path, (const char *)&path - (const char *)&variable, type, variable##_line)
#define SIZE(type) printf("size|%s|%zu\n", #type, sizeof(CLASS(type)))

int main(void)
{
    SHOW(grid, grid.cells[1][2].lock, "my_lock");
    SHOW(grid, grid.cells[0][1].lock, "my_lock");
    SHOW(grid, grid.either.lock, "omp_lock_t");
    SHOW(grid, grid.nested.locks[1], "omp_lock_t");
    SHOW(list, list[3].lock, "my_lock");
    SIZE(cell);
    SIZE(grid);
#ifdef __cplusplus
    SHOW(grid, grid.lock, "omp_lock_t");
    SIZE(base);
#endif
    return 0;
}
