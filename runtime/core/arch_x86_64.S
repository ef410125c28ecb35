/* SPDX-License-Identifier: Apache-2.0 */
/*
 * With -fcf-protection the compiler's header says in a note of the object that its code suits IBT and shadow
 * stacks: one object without that note takes both from the whole library (psABI x86-64, program property).
 */
#ifdef __CET__
#include <cet.h>
#else
#define _CET_ENDBR
#endif
/*
 * rt_invoke(fn, gtid, btid, argc, argv, exit_frame): see arch_x86_64.h.
 * rdi fn, rsi gtid, rdx btid, ecx argc, r8 argv, r9 exit_frame.
 */
	.text
	.globl	rt_invoke
	.hidden	rt_invoke
	.type	rt_invoke, @function
	.p2align 4
rt_invoke:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	movq	%rbp, (%r9)
	movq	%rdi, %rax		/* fn */
	movq	%rsi, %rdi		/* first argument: gtid */
	movq	%rdx, %rsi		/* second: btid */
	movslq	%ecx, %r10		/* argc */
	movq	%r8, %r11		/* argv */
	/* Arguments from the fifth word on go to the stack, last first, with rsp a multiple of 16 at the call. */
	leaq	-4(%r10), %rcx
	testq	%rcx, %rcx
	jle	2f
	testb	$1, %cl
	jz	1f
	subq	$8, %rsp
1:	pushq	24(%r11,%rcx,8)
	decq	%rcx
	jnz	1b
2:	cmpq	$1, %r10
	jl	3f
	movq	(%r11), %rdx
	je	3f
	movq	8(%r11), %rcx
	cmpq	$3, %r10
	jl	3f
	movq	16(%r11), %r8
	je	3f
	movq	24(%r11), %r9
3:	call	*%rax
	movq	%rbp, %rsp
	popq	%rbp
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size	rt_invoke, .-rt_invoke

/*
 * rt_task_call(a, b, fn): calls fn(a, b), and is what every begin of a task passes: ompd_bp_task_begin. It
 * takes no frame, so that a task costs one jump more than its code's call. rt_task_passed: an fn that
 * returns.
 */
	.globl	rt_task_call, ompd_bp_task_begin
	.hidden	rt_task_call
	.type	rt_task_call, @function
	.type	ompd_bp_task_begin, @function
	.p2align 4
rt_task_call:
ompd_bp_task_begin:
	.cfi_startproc
	jmp	*%rdx
	.cfi_endproc
	.size	rt_task_call, .-rt_task_call
	.size	ompd_bp_task_begin, .-ompd_bp_task_begin

	.globl	rt_task_passed
	.hidden	rt_task_passed
	.type	rt_task_passed, @function
rt_task_passed:
	.cfi_startproc
	_CET_ENDBR			/* rt_task_call jumps here through a register */
	ret
	.cfi_endproc
	.size	rt_task_passed, .-rt_task_passed

	.section .note.GNU-stack, "", @progbits
