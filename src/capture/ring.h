/* SPDX-License-Identifier: MIT */
/*
 * ring - one CPU's perf mmap ring, and the records in it, oldest first.
 *
 * The kernel is the only producer, the thread that calls these functions the
 * only consumer.  Two edges order the memory that they share:
 *
 *     kernel                                us
 *     write records, then data_head --K1->  load-acquire data_head, then read
 *     load data_tail, then overwrite <-K2-- copy out, then store-release data_tail
 *
 * K1: a head that we have seen covers only records wholly written.
 * K2: a tail that the kernel has seen covers only records that we have copied.
 *
 * Head and tail run freely in 64 bits and are masked only to index (kernel:
 * kernel/events/ring_buffer.c, perf_output_put_handle).  The kernel pads every
 * record to 8 bytes, so a header never straddles the end; a record may.
 */
#ifndef CAPTURE_RING_H
#define CAPTURE_RING_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct ring;

/*
 * Map `data_pages` (a power of two) pages of the event behind `fd`, which is
 * borrowed and stays open as long as the ring.  Any fd that can be mapped will
 * do: tests pass a memfd and play the kernel.  NULL and errno: EPERM is the
 * perf_event_mlock_kb limit, EINVAL a page count that is no power of two.
 */
struct ring *ring_open(int fd, size_t data_pages);

/* Unmap and free; NULL is allowed. */
void ring_close(struct ring *ring);

/* Look how far the kernel has come (K1).  Copying goes up to here, so a fast producer cannot hold us. */
void ring_look(struct ring *ring);

/*
 * Copy whole records, as many as fit in `room` bytes and were there at
 * ring_look(): the number of bytes, 0 when there is none or the next one does
 * not fit.  A ring that makes no sense (a size under 8, not a multiple of 8, or
 * beyond what is unread; more unread than the ring holds) is counted in
 * ring_corrupt(), and everything up to the head is given up: the copy ends
 * before the fault.
 */
size_t ring_copy(struct ring *ring, void *out, size_t room);

/* Give the kernel back the room of all that was copied (K2).  Once a block is enough. */
void ring_release(struct ring *ring);

/* Bytes looked at but not yet copied. */
size_t ring_unread(const struct ring *ring);

/* How often it made no sense. */
uint64_t ring_corrupt(const struct ring *ring);

/* Bytes mapped. */
size_t ring_bytes(const struct ring *ring);

#endif
