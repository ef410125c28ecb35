!SPDX - License - Identifier : Apache - 2.0 !CHECK and CHECK_EQ tell the checks where they stand.
#define CHECK(condition)    call check(condition, __FILE__, __LINE__)
#define CHECK_EQ(got, want) call check_eq(got, want, __FILE__, __LINE__)
