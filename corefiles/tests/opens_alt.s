# SPDX-License-Identifier: Apache-2.0
# A variable whose name is in the .debug_str of an alternate file, at offset 6, as dwz leaves it (DW_FORM_GNU_strp_alt).
    .data
    .globl shared_word
shared_word:
    .quad 0
    .size shared_word, 8

    .section .debug_abbrev, "", @progbits
.Labbrev:
    .uleb128 1, 0x11 # DW_TAG_compile_unit, with children
    .byte 1
    .uleb128 0x03, 0x1f21 # DW_AT_name
    .uleb128 0, 0
    .uleb128 2, 0x34 # DW_TAG_variable
    .byte 0
    .uleb128 0x03, 0x1f21 # DW_AT_name
    .uleb128 0x02, 0x18   # DW_AT_location, DW_FORM_exprloc
    .uleb128 0x49, 0x13   # DW_AT_type, DW_FORM_ref4
    .uleb128 0, 0
    .uleb128 3, 0x24 # DW_TAG_base_type
    .byte 0
    .uleb128 0x0b, 0x0b # DW_AT_byte_size, DW_FORM_data1
    .uleb128 0x3e, 0x0b # DW_AT_encoding, DW_FORM_data1
    .uleb128 0x03, 0x08 # DW_AT_name, DW_FORM_string
    .uleb128 0, 0
    .uleb128 0

    .section .debug_info, "", @progbits
.Lunit:
    .long .Lend - .Lversion
.Lversion:
    .value 4
    .long .Labbrev
    .byte 8
    .uleb128 1
    .long 1
    .uleb128 2
    .long 6
    .uleb128 9
    .byte 3 # DW_OP_addr
    .quad shared_word
    .long .Llong - .Lunit
.Llong:
    .uleb128 3
    .byte 8, 5 # DW_ATE_signed
    .string "long"
    .byte 0
.Lend:
    .section .note.GNU-stack, "", @progbits
