// SPDX-License-Identifier: Apache-2.0
// From the linker's symbol to the function that its user has written. The symbols are those of g++ 12, clang
// 14 and 17, gfortran 12 and flang for the functions on the right.
#include "inspect/frames/function.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "inspect/frames/cut_name.h"
#include "inspect/inspect.h"

namespace
{

struct Spelled {
    const char *symbol, *name; // name nullptr: it does not tell
};

std::string Spell(const std::string &symbol)
{
    std::unique_ptr<char, void (*)(char *)> name(insp_function(symbol.c_str()), insp_string_free);

    return name ? name.get() : "(none)";
}

void ExpectAll(std::initializer_list<Spelled> all)
{
    for (const Spelled &one : all)
        EXPECT_EQ(Spell(one.symbol), one.name ? one.name : "(none)") << one.symbol;
}

TEST(Function, CxxHasNoParametersAndNoReturnType)
{
    ExpectAll({
        {"_ZN4Grid5relaxEid", "Grid::relax"},
        {"_Z4workIiET_S0_", "work<int>"},
        {"_ZN12_GLOBAL__N_13hidEi", "(anonymous namespace)::hid"},
        {"_ZN12_GLOBAL__N_14tmplIiEET_S1_", "(anonymous namespace)::tmpl<int>"},
        {"_ZN1XILi5ELb1EE1fIiEEDTplfp_Li5EET_", "X<5, true>::f<int>"},
        {"_Z3varIJEEvDpT_", "var<>"},
        {"_Z6chooseIiEPFvdET_", "choose<int>"}, // a function is what it returns
        {"_Z3arrIiERA3_iT_", "arr<int>"},       // int (&arr(T))[3]
        {"_Z6taggedB2v2i", "tagged[abi:v2]"},
        {"_ZNK4Grid4nameB5cxx11Ev", "Grid::name[abi:cxx11]"},
        {"_ZN4GridC1Ev", "Grid::Grid"},
        {"_ZN4GridD2Ev", "Grid::~Grid"},
        {"_ZThn16_N4Grid1vEv", "Grid::v"},
        {"_ZTv0_n24_N4Grid1vEv", "Grid::v"},
        {"_Z4memoIXadL_ZNK4GridltERKS0_EEEiv", "memo<&(Grid::operator<(Grid const&) const)>"},
    });
}

TEST(Function, OperatorsAndLambdas)
{
    ExpectAll({
        {"_ZNK4GridclEi", "Grid::operator()"},
        {"_ZN4GridclIiEEvT_S1_", "Grid::operator()<int>"},
        {"_ZNK4GridltERKS_", "Grid::operator<"},
        {"_ZN4GridltIiEEbT_", "Grid::operator< <int>"},
        {"_ZN4GridleIiEEbT_", "Grid::operator<=<int>"},
        {"_ZlsPSoR4Grid", "operator<<"},
        {"_ZNK4GridcviEv", "Grid::operator int"},
        {"_ZN4GridnwEm", "Grid::operator new"},
        {"_Zli4_dege", "operator\"\" _deg"},
        {"_ZrsIiESt3mapIT_iSt4lessIS1_ESaISt4pairIKS1_iEEES8_i", "operator>><int>"},
        {"_ZZNK4Grid4convEvENKUliE_clEi", "Grid::conv() const::{lambda(int)#1}::operator()"},
        {"_ZZNK4Grid4convEvENK1L1gEv", "Grid::conv() const::L::g"},
        {"_ZZ4workIiET_S0_ENKUlS0_E_clIiEEDaS0_", "work<int>(int)::{lambda(auto:1)#1}::operator()<int>"},
    });
}

TEST(Function, Fortran)
{
    ExpectAll({
        {"__work_mod_MOD_smooth", "work_mod::smooth"},
        {"__work_mod_MOD_smooth._omp_fn.0", "work_mod::smooth"},
        {"__outer.inner_MOD_proc", "outer.inner::proc"}, // a submodule's
        {"_QMwork_modPsmooth", "work_mod::smooth"},
        {"_QPsmooth", "smooth"},
        {"_QMwork_modSdetailPsmooth", "work_mod::smooth"}, // a submodule's
        {"_QFPtrace", "trace"},                            // the main program's
        {"_QFPtrace..omp_par", "trace"},
        {"_QFouterPinner", "inner"},
        {"_QMwork_modFouterPinner", "inner"},
        {"_QFEcount", "count"},
        {"_QQmain", "_QQmain"},
        {"_QMPx", "_QMPx"},
        {"_QEx", "_QEx"},
        {"inner.0", "inner"}, // within another procedure
        {"MAIN__._omp_fn.0", "MAIN__"},
        {"smooth_", "smooth_"}, // may be C
    });
}

TEST(Function, Bodies)
{
    for (const char *body : {"main._omp_fn.0", "_ZN4Grid5relaxEid._omp_fn.1", "main.omp_outlined",
                             ".omp_outlined._debug__", ".omp_task_entry.", "_QFPtrace..omp_par"}) {
        EXPECT_TRUE(function_is_outlined(body)) << body;
        EXPECT_TRUE(function_is_body(body)) << body;
    }
    EXPECT_TRUE(function_is_outlined("main._omp_fn.0.cold"));
    for (const char *other : {"main._omp_fn.0.cold", "main", "main.cold", "omp_set_lock", "do_omp_task_list"})
        EXPECT_FALSE(function_is_body(other)) << other;
    EXPECT_FALSE(function_is_outlined("main.cold"));
    EXPECT_FALSE(function_is_outlined(nullptr));
}

TEST(Function, AnUnderscoreGoesOnlyFromFortran)
{
    struct arena a = {};

    EXPECT_STREQ(function_name(&a, "smooth_", "/src/smooth.f90"), "smooth");
    EXPECT_STREQ(function_name(&a, "smooth_._omp_fn.0", "old.F"), "smooth");
    EXPECT_STREQ(function_name(&a, "smooth_", "smooth.c"), "smooth_");
    EXPECT_STREQ(function_name(&a, "smooth_", nullptr), "smooth_");
    EXPECT_STREQ(function_name(&a, "smooth_", "f90"), "smooth_");
    EXPECT_STREQ(function_name(&a, "smooth__", "smooth.f90"), "smooth__");
    EXPECT_STREQ(function_name(&a, "Smooth_", "smooth.f90"), "Smooth_"); // bind(c)
    EXPECT_STREQ(function_name(&a, "_", "smooth.f90"), "_");
    EXPECT_EQ(function_name(&a, "", nullptr), nullptr);
    EXPECT_EQ(function_name(&a, nullptr, nullptr), nullptr);
    arena_free(&a);
}

TEST(Function, WhatCompilersOutlineIsTheUsers)
{
    ExpectAll({
        {"main._omp_fn.0", "main"},
        {"main._omp_cpyfn.2", "main"},
        {"_ZN4Grid5relaxEid._omp_fn.0.constprop.0", "Grid::relax"},
        {"_ZN4Grid5relaxEid.part.0.isra.0.cold", "Grid::relax"},
        {"solve.constprop.0", "solve"},
        {"solve.llvm.123456", "solve"},
        {"main.omp_outlined", "main"},
        {"main.omp_outlined_debug__.3", "main"},
        {"_Z4workv.omp_outlined.1", "work"},
        {"__omp_offloading_fd02_123abc_main_l12", "main"},
        {"__omp_offloading_fd02_123abc__Z4workv_l12_debug__", "work"},
        {"__omp_offloading_fd02_123abc__Z4workv_l12.omp_outlined", "work"},
        // clang up to 17
        {".omp_outlined.", nullptr},
        {".omp_outlined..5", nullptr},
        {".omp_outlined._debug__", nullptr},
        {".omp_task_entry..7", nullptr},
        {".omp.reduction.reduction_func", nullptr},
        {"omp_outlined.", nullptr}, // GDB takes the first dot away
    });
    EXPECT_TRUE(function_is_nameless(".omp_outlined."));
    EXPECT_FALSE(function_is_nameless("main.omp_outlined"));
    EXPECT_FALSE(function_is_nameless(nullptr));
    EXPECT_EQ(insp_function(nullptr), nullptr);
}

TEST(Function, WhatADebuggerMadeOfIt)
{
    ExpectAll({
        {"main._omp_fn.0(void)", "main"},
        {"main._omp_fn", "main"},
        {"Grid::relax(int, double)", "Grid::relax"},
        {"Grid::relax(int) [clone ._omp_fn.0]", "Grid::relax"},
        {"void work<int>(int)", "work<int>"},
        {"(anonymous namespace)::f", "(anonymous namespace)::f"},
        {"work_mod::smooth._omp_fn.0", "work_mod::smooth"},
        {"Grid::operator()", "Grid::operator()"},
        {"sin@plt", "sin@plt"},
    });
}

TEST(Function, NamesThatAreLookedUpStay)
{
    ExpectAll({
        {"__cxa_throw", "__cxa_throw"},
        {"__sin_fma", "__sin_fma"},
        {"_IO_fgets", "_IO_fgets"},
        {"clock_nanosleep@GLIBC_2.2.5", "clock_nanosleep"},
        {"memcpy@@GLIBC_2.14", "memcpy"},
        {"runtime.goexit", "runtime.goexit"},
        {"_GLOBAL__sub_I_main", "_GLOBAL__sub_I_main"},
    });
}

// Of PyTorch; libstdc++'s demangler does not know expressions such as is_same_v<...> within a lambda's type.
TEST(Function, NamesThatTheDemanglerDoesNotTake)
{
    ExpectAll({
        {"_ZN2at8internal15invoke_parallelIZNS_12parallel_forIZNS_6native12_GLOBAL__N_112_vec_"
         "softmaxIN3c104Half"
         "EEENSt9enable_ifIXnt9is_same_vIT_NS_10OpMathTypeIS9_E4typeEEEvE4typeEPKS9_PS9_lllEUlllE_EEvlllRSF_"
         "EUlll"
         "E_EEvlllSJ_._omp_fn.0",
         "at::internal::invoke_parallel<...>"},
        {"_ZN2at8internal15invoke_parallelIZNS_12parallel_forIZNS_6nativeL28upsample_nearest2d_out_"
         "frameIN3c105q"
         "int8EXadL_ZNS3_37nearest_neighbor_compute_source_indexEfllEEEEvPT_S8_llllllSt8optionalIdESA_EUlllE_"
         "EEvl"
         "llRKSB_EUlllE_EEvlllSF_",
         "at::internal::invoke_parallel<...>"},
    });
}

TEST(Function, CutNames)
{
    for (const Spelled &one :
         {Spelled{"_ZN4GridIiE4workIJLi3ELb1EEEEvv", "Grid<...>::work<...>"},
          {"_ZNK4Grid4workEv", "Grid::work"},
          {"_ZN12_GLOBAL__N_14workIN1a4KindEEEvv", "(anonymous namespace)::work<...>"},
          {"_ZN4GridIiEC1Ev", "Grid<...>::Grid"},
          {"_ZN4GridIiED2Ev", "Grid<...>::~Grid"},
          {"_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<...>::push_back"},
          {"_ZN1aL4workEv", "a::work"},
          {"_ZN1a4workB5cxx11Ev", "a::work"},
          {"_ZN1a4workILN1b4KindE6EEEvv", "a::work<...>"},
          {"_ZN1aplERKS_", "a::operator+"},
          {"_ZN1acviEv", nullptr}, // a conversion
          {"_ZZN1a4workEvENKUlvE_clEv", "a::work::{lambda(...)#1}::operator()"},
          {"_ZZ4mainENKUliE0_clEi", "main::{lambda(...)#2}::operator()"},
          {"_ZZN1a4workIfEEvT_ENKUlS1_E_clIiEEDaS1_", "a::work<...>::{lambda(...)#1}::operator()<...>"},
          {"_ZZZN1a1bEvENKUlvE_clEvENKUlvE_clEv",
           "a::b::{lambda(...)#1}::operator()::{lambda(...)#1}::operator()"},
          {"_ZZN1a1bEvE5cache", "a::b::cache"},
          {"_ZZN1a1bEvEs", nullptr}, // a string
          {"_ZZ1aE", nullptr},
          {"_ZZ", nullptr},
          {"_ZN99a4workEv", nullptr},
          {"_ZN1a4workI", nullptr},
          {"_ZN", nullptr},
          {"_ZNE", nullptr},
          {"main", nullptr}}) {
        std::unique_ptr<char, void (*)(void *)> name(cut_name(one.symbol), free);

        EXPECT_STREQ(name.get(), one.name);
    }
    const std::string deep = "_ZN1a1b" + std::string(100000, 'I');
    EXPECT_EQ(cut_name(deep.c_str()), nullptr);
    const std::string local = "_Z" + std::string(100000, 'Z');
    EXPECT_EQ(cut_name(local.c_str()), nullptr);
    const std::string longer = "_ZN5000" + std::string(5000, 'a') + "Ev";
    EXPECT_EQ(cut_name(longer.c_str()), nullptr);
}

TEST(Function, VariablesKeepTheirNumbers)
{
    for (const Spelled &one : {Spelled{"_ZN4Grid5tableE", "Grid::table"},
                               {"__work_mod_MOD_table", "work_mod::table"},
                               {"calls.0", "calls.0"},
                               {".omp_outlined.", ".omp_outlined."},
                               {"environ@GLIBC_2.2.5", "environ"}}) {
        std::unique_ptr<char, void (*)(char *)> name(function_demangled(one.symbol), insp_string_free);

        EXPECT_STREQ(name.get(), one.name);
    }
}

// f(A<A<..., ...>, A<..., ...>>): each level doubles the name and adds a few bytes to the symbol.
std::string Doubling(int levels)
{
    std::string symbol = "_Z1f1AIiiE";

    for (int i = 0; i < levels; i++) {
        std::string number = i < 36 ? std::string(1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i])
                                    : "1" + std::string(1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i - 36]);

        symbol += "S_IS" + number + "_S" + number + "_E";
    }
    return symbol;
}

TEST(Function, HostileSymbolsEnd)
{
    EXPECT_EQ(Spell(Doubling(3)), "f");
    EXPECT_EQ(Spell(Doubling(60)), Doubling(60)); // of 2^60 words
    for (const std::string &symbol : {
             "_Z" + std::string(5000, 'P') + "i",
             "_Z1f" + std::string(1000, 'P') + "i",
             "_Z1f" + std::string(1010, 'N'),
             std::string(100000, '('),
             std::string(99000, ')') + "x",
             "a" + std::string(99000, ')'),
             std::string("_Z"),
             std::string("_Z.omp_outlined"),
             std::string(),
             std::string("("),
             std::string(")"),
             std::string("()"),
             std::string("operator()"),
             std::string(" const"),
             std::string("((*(*(*(*(*(*(*(*(*(*x))))))))))()"),
             std::string("."),
             std::string("@"),
             std::string("@plt"),
             std::string("__omp_offloading_"),
             std::string("__omp_offloading_1_2_"),
             std::string("__omp_offloading_1_2__l3"),
             std::string("___MOD_"),
             std::string("_QM"),
             std::string("_QMaP"),
             std::string("_QP"),
             std::string("\xff\xfe(\x80)"),
             std::string("a<b>>>>c()"),
             std::string("operator"),
             std::string("operator<"),
             std::string("x operator("),
             std::string("f(int) const const::"),
         })
        (void)Spell(symbol); // AddressSanitizer and the test's time limit judge
}

} // namespace
