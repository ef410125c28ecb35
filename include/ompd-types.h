/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ompd-types.h: the integer types of OMPD, and the recommended numbers for kinds of threads, devices and
 * segments. Two parties that use these numbers understand each other without further agreement; others may
 * be used between a tool and a library that know each other.
 *
 * OpenMP 5.0 section 5.3 to 6.0 chapter 39. The numbers are the same in all those versions.
 */
#ifndef OMPD_TYPES_H
#define OMPD_TYPES_H

#include <stdint.h>

/* Date of the list of numbers below, as YYYYMMDD. */
#define OMPD_TYPES_VERSION 20180906

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Integers, of the same width on every target, so that a 64-bit tool can look at a 32-bit program.
 * OpenMP 6.0 chapter 39.
 */
typedef uint64_t ompd_size_t;      /* a number of bytes */
typedef uint64_t ompd_wait_id_t;   /* what a thread waits for: the same value as OMPT's ompt_wait_id_t */
typedef uint64_t ompd_addr_t;      /* an address in the target */
typedef int64_t ompd_word_t;       /* a signed word of the target */
typedef uint64_t ompd_seg_t;       /* a segment: ompd_segment_none where addresses are flat */
typedef uint64_t ompd_device_t;    /* the KIND of a device identifier, not the identifier */
typedef uint64_t ompd_thread_id_t; /* the KIND of a native thread identifier, not the identifier */
typedef uint64_t ompd_icv_id_t;    /* the library's own number for an ICV; 0 is ompd_icv_undefined */

/*
 * Kinds of native thread identifiers. The identifier itself travels as (kind, size in bytes, pointer).
 * A size that does not fit the kind gives ompd_rc_bad_input, a kind nobody knows ompd_rc_unsupported.
 */
#define OMPD_THREAD_ID_PTHREAD     ((ompd_thread_id_t)0)       /* the target's pthread_t */
#define OMPD_THREAD_ID_LWP         ((ompd_thread_id_t)1)       /* the kernel's thread number */
#define OMPD_THREAD_ID_WINTHREAD   ((ompd_thread_id_t)2)       /* a thread of Windows */
#define OMPD_THREAD_ID_CUDALOGICAL ((ompd_thread_id_t)3)       /* an ompd_cudathread_coord_t */
#define OMPD_THREAD_ID_LO          ((ompd_thread_id_t)1000000) /* first and last number for kinds */
#define OMPD_THREAD_ID_HI          ((ompd_thread_id_t)1100000) /* of an implementation's own */

/* Kinds of devices; an unknown one gives ompd_rc_unsupported. */
#define OMPD_DEVICE_KIND_HOST ((ompd_device_t)1)
#define OMPD_DEVICE_KIND_CUDA ((ompd_device_t)2)
#define OMPD_DEVICE_IMPL_LO   ((ompd_device_t)1000000) /* first and last number for kinds */
#define OMPD_DEVICE_IMPL_HI   ((ompd_device_t)1100000) /* of an implementation's own */

/* Segments: 0 on flat targets; the others are the storage kinds of a CUDA device. */
#define OMPD_SEGMENT_UNSPECIFIED          ((ompd_seg_t)0)
#define OMPD_SEGMENT_CUDA_PTX_UNSPECIFIED ((ompd_seg_t)0)
#define OMPD_SEGMENT_CUDA_PTX_CODE        ((ompd_seg_t)1)
#define OMPD_SEGMENT_CUDA_PTX_REG         ((ompd_seg_t)2)
#define OMPD_SEGMENT_CUDA_PTX_SREG        ((ompd_seg_t)3)
#define OMPD_SEGMENT_CUDA_PTX_CONST       ((ompd_seg_t)4)
#define OMPD_SEGMENT_CUDA_PTX_GLOBAL      ((ompd_seg_t)5)
#define OMPD_SEGMENT_CUDA_PTX_LOCAL       ((ompd_seg_t)6)
#define OMPD_SEGMENT_CUDA_PTX_PARAM       ((ompd_seg_t)7)
#define OMPD_SEGMENT_CUDA_PTX_SHARED      ((ompd_seg_t)8)
#define OMPD_SEGMENT_CUDA_PTX_SURF        ((ompd_seg_t)9)
#define OMPD_SEGMENT_CUDA_PTX_TEX         ((ompd_seg_t)10)
#define OMPD_SEGMENT_CUDA_PTX_TEXSAMPLER  ((ompd_seg_t)11)
#define OMPD_SEGMENT_CUDA_PTX_GENERIC     ((ompd_seg_t)12)
#define OMPD_SEGMENT_CUDA_PTX_IPARAM      ((ompd_seg_t)13)
#define OMPD_SEGMENT_CUDA_PTX_OPARAM      ((ompd_seg_t)14)
#define OMPD_SEGMENT_CUDA_PTX_FRAME       ((ompd_seg_t)15)

/* A position or an extent in up to three dimensions, counted in threads or blocks; 24 bytes. */
typedef struct ompd_dim3_t {
    ompd_addr_t x;
    ompd_addr_t y;
    ompd_addr_t z;
} ompd_dim3_t;

/* The identifier of kind OMPD_THREAD_ID_CUDALOGICAL: where in which grid the thread is; 128 bytes. */
typedef struct ompd_cudathread_coord_t {
    ompd_addr_t cudaDevId;
    ompd_addr_t cudaContext;
    ompd_addr_t warpSize;
    ompd_addr_t gridId;
    ompd_dim3_t gridDim;
    ompd_dim3_t blockDim;
    ompd_dim3_t blockIdx;
    ompd_dim3_t threadIdx;
} ompd_cudathread_coord_t;

#ifdef __cplusplus
}
#endif

#endif /* OMPD_TYPES_H */
