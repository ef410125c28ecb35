/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Types and variables of DWARF, as far as a place in memory needs a name.
 */
#ifndef COREFILES_TYPEPATH_H
#define COREFILES_TYPEPATH_H

#include <stdio.h>

#include "corefiles/debuginfo/debuginfo.h"
#include "corefiles/modules.h"
#include "corefiles/unwind.h"

struct cf_variable;

enum { CF_DIMENSIONS = 16 };

/* typepath.c */
/** What stands at the end of a path. */
struct cf_part {
    const char *type_name; /**< NULL: it has none */
    struct die type;       /**< without typedefs, but for a lock's */
    bool lock;             /**< an OpenMP lock */
    bool element;          /**< of an array */
};

/** Takes typedefs and qualifiers away. True, and *type the typedef, when one of them is an OpenMP lock. */
bool cf_type_strip(struct die *type);
bool cf_is_fortran(struct die *die);
/** An array that its variable only describes: a Fortran descriptor. */
bool cf_is_descriptor(struct die *type);
/** 0: unknown. */
uint64_t cf_type_size(struct die *type);
/** Lower bounds and counts of an array's dimensions; a count of 0 is unknown (a flexible array). Their
 * number. */
int cf_dimensions(struct die *array, bool fortran, int64_t lower[], int64_t count[]);
/** Writes the index of element AT: [1][2], (3,2). False: nothing was written, one of the inner counts is
 * unknown. */
bool cf_write_index(int dimensions, bool fortran, const int64_t lower[], const int64_t count[], uint64_t at,
                    FILE *out);
/** The member's offset; false when it has none that is fixed (static, of a virtual base). */
bool cf_member_offset(struct die *member, uint64_t *ret);
/** Writes ".member[index]..." of OFFSET in a variable of this type. 1: nothing begins there. */
int cf_type_path(struct die *variable_type, bool fortran, uint64_t offset, FILE *out, struct cf_part *ret);

/* eval.c */
/** Where an expression is asked for. */
struct cf_scene {
    struct cf_target *t;
    uint64_t bias;                    /**< address minus that in DWARF */
    const struct cf_raw_frame *frame; /**< NULL: in none */
    uint64_t frame_base;              /**< 0: unknown */
    uint64_t object;                  /**< whose description it is; 0: nobody's */
};
struct cf_place {
    uint64_t at;
    bool is_value; /**< the variable is in a register: this is what it holds */
};
/** The expression of an attribute where the pc, as in DWARF, is PC. */
int cf_evaluate(const struct cf_scene *scene, const struct die *die, unsigned which, uint64_t pc,
                struct cf_place *ret) CF_WARN_UNUSED;
/** An attribute that is a number or an expression for one, such as ATTR_upper_bound. */
int cf_number(const struct cf_scene *scene, const struct die *die, unsigned which,
              int64_t *ret) CF_WARN_UNUSED;

/* expr.c */
/** Writes "namespace::Class::" and the name; *function (NULL before), malloc'ed: whose static variable it
 * is. */
void cf_write_variable(struct die *die, FILE *out, char **function);
/** What of DIE's variable is OFFSET bytes into it. */
int cf_describe(struct die *die, uint64_t offset, struct cf_variable *ret) CF_WARN_UNUSED;
/** Calls EACH for the variables of a module that lie at fixed addresses, in their order, until it is not
 * 0. */
void cf_each_static(struct cf_mod *m, int (*each)(struct die *die, uint64_t addr, void *arg), void *arg);
/** A search through the variables that one compilation unit defines or declares outside of functions. */
struct cf_visible {
    struct cf_target *t;
    uint64_t bias;
    bool (*wanted)(struct die *die, void *arg);
    int (*each)(struct die *die, uint64_t addr, void *arg); /**< not 0: the end */
    void *arg;
};
void cf_each_visible(const struct cf_visible *visible, struct die *unit);

/* locals.c */
/** A variable of a function's frame: where it lies, or what it holds. */
struct cf_slot {
    struct die die;
    struct cf_place place;
};
/** Calls EACH for the variables of FRAME's function that have a place, block by block, innermost first, until
 * it is
 *  not 0; that is returned. BLOCK: their number. */
int cf_each_local(struct cf_target *t, const struct cf_raw_frame *frame,
                  int (*each)(const struct cf_slot *slot, int block, void *arg), void *arg);

/* pointers.c */
/** A pointer within an object of some type. */
struct cf_pointer {
    struct die to;   /**< the type that it points to; a Fortran descriptor's: the array */
    uint64_t offset; /**< in the object */
    uint64_t end;    /**< offset of the pointer to the end of what this one points to; 0 none */
    enum cf_how { CF_BY_POINTER, CF_BY_REFERENCE, CF_BY_DESCRIPTOR } how;
};
/** A pointer or a reference. */
bool cf_is_pointer(struct die *type);
/** What is known of types: does a lock stand where so many pointers lead to? */
struct cf_leads;
struct cf_leads *cf_leads_new(void);
void cf_leads_free(struct cf_leads *leads);
/** Can a lock be found behind pointers of an object of TYPE, at most HOPS of them? */
bool cf_leads(struct cf_leads *leads, struct die *type, int hops);
/** Calls EACH for the pointers in an object of TYPE that lead to a lock within HOPS, by offset, until it is
 * not 0;
 *  that is returned. */
int cf_each_pointer(struct cf_leads *leads, struct die *type, int hops,
                    int (*each)(const struct cf_pointer *pointer, void *arg), void *arg);
/** Is the type that of what a thread can wait for: a lock, or in Fortran an integer that can be one? */
bool cf_is_awaited(const struct cf_part *part);

#endif
