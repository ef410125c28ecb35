/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Numbers of DWARF 5 (section 7) that this project uses. They have names of their own (TAG_ for DW_TAG_,
 * ATTR_ for DW_AT_, OP_ for DW_OP_, ENCODING_ for DW_ATE_, LANGUAGE_ for DW_LANG_): the libraries' headers
 * define DW_*, one of them as macros.
 */
#ifndef COREFILES_DEBUGINFO_DWARF5_H
#define COREFILES_DEBUGINFO_DWARF5_H

enum dwarf_tag {
    TAG_array_type = 0x01,
    TAG_class_type = 0x02,
    TAG_enumeration_type = 0x04,
    TAG_formal_parameter = 0x05,
    TAG_lexical_block = 0x0b,
    TAG_member = 0x0d,
    TAG_pointer_type = 0x0f,
    TAG_reference_type = 0x10,
    TAG_compile_unit = 0x11,
    TAG_structure_type = 0x13,
    TAG_subroutine_type = 0x15,
    TAG_typedef = 0x16,
    TAG_union_type = 0x17,
    TAG_common_block = 0x1a,
    TAG_inheritance = 0x1c,
    TAG_inlined_subroutine = 0x1d,
    TAG_module = 0x1e,
    TAG_subrange_type = 0x21,
    TAG_base_type = 0x24,
    TAG_const_type = 0x26,
    TAG_enumerator = 0x28,
    TAG_subprogram = 0x2e,
    TAG_variable = 0x34,
    TAG_volatile_type = 0x35,
    TAG_restrict_type = 0x37,
    TAG_namespace = 0x39,
    TAG_unspecified_type = 0x3b,
    TAG_partial_unit = 0x3c,
    TAG_imported_unit = 0x3d,
    TAG_type_unit = 0x41,
    TAG_rvalue_reference_type = 0x42,
    TAG_atomic_type = 0x47,
    TAG_skeleton_unit = 0x4a,
};

enum dwarf_attribute {
    ATTR_location = 0x02,
    ATTR_name = 0x03,
    ATTR_byte_size = 0x0b,
    ATTR_bit_offset = 0x0c, /**< before DWARF 5 */
    ATTR_bit_size = 0x0d,
    ATTR_language = 0x13,
    ATTR_comp_dir = 0x1b,
    ATTR_const_value = 0x1c,
    ATTR_inline = 0x20,
    ATTR_lower_bound = 0x22,
    ATTR_upper_bound = 0x2f,
    ATTR_abstract_origin = 0x31,
    ATTR_artificial = 0x34,
    ATTR_count = 0x37,
    ATTR_data_member_location = 0x38,
    ATTR_decl_file = 0x3a,
    ATTR_decl_line = 0x3b,
    ATTR_declaration = 0x3c,
    ATTR_encoding = 0x3e,
    ATTR_external = 0x3f,
    ATTR_frame_base = 0x40,
    ATTR_specification = 0x47,
    ATTR_type = 0x49,
    ATTR_virtuality = 0x4c,
    ATTR_allocated = 0x4e,
    ATTR_associated = 0x4f,
    ATTR_data_location = 0x50,
    ATTR_byte_stride = 0x51,
    ATTR_call_file = 0x58,
    ATTR_call_line = 0x59,
    ATTR_signature = 0x69,
    ATTR_data_bit_offset = 0x6b,
    ATTR_linkage_name = 0x6e,
    ATTR_dwo_name = 0x76,
    ATTR_MIPS_linkage_name = 0x2007,
    ATTR_GNU_dwo_name = 0x2130,
};

/** A range such as OP_lit0 to OP_lit31 by its ends. */
enum dwarf_operation {
    OP_addr = 0x03,
    OP_deref = 0x06,
    OP_const1u = 0x08,
    OP_const1s = 0x09,
    OP_const2u = 0x0a,
    OP_const2s = 0x0b,
    OP_const4u = 0x0c,
    OP_const4s = 0x0d,
    OP_const8u = 0x0e,
    OP_const8s = 0x0f,
    OP_constu = 0x10,
    OP_consts = 0x11,
    OP_dup = 0x12,
    OP_and = 0x1a,
    OP_minus = 0x1c,
    OP_mul = 0x1e,
    OP_plus = 0x22,
    OP_plus_uconst = 0x23,
    OP_ne = 0x2e,
    OP_lit0 = 0x30,
    OP_lit31 = 0x4f,
    OP_reg0 = 0x50,
    OP_reg31 = 0x6f,
    OP_breg0 = 0x70,
    OP_breg31 = 0x8f,
    OP_fbreg = 0x91,
    OP_bregx = 0x92,
    OP_deref_size = 0x94,
    OP_nop = 0x96,
    OP_push_object_address = 0x97,
    OP_call_frame_cfa = 0x9c,
    OP_stack_value = 0x9f,
};

enum dwarf_encoding { ENCODING_signed = 0x05, ENCODING_unsigned = 0x07 };

enum dwarf_language {
    LANGUAGE_Fortran77 = 0x07,
    LANGUAGE_Fortran90 = 0x08,
    LANGUAGE_Fortran95 = 0x0e,
    LANGUAGE_Fortran03 = 0x22,
    LANGUAGE_Fortran08 = 0x23,
};

#endif
