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
 * K1: a head that we have read covers only complete records.
 * K2: a tail that the kernel has read covers only records that we have copied.
 *
 * Head and tail are 64 bits, only increase, and are masked only to index (kernel:
 * kernel/events/ring_buffer.c, perf_output_put_handle).  The kernel pads every
 * record to 8 bytes, so a header never wraps at the end of the ring; a record can.
 */
#ifndef CAPTURE_RING_H
#define CAPTURE_RING_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct ring;

/*
 * Map `data_pages` (a power of two) pages of the event `fd`, which is borrowed and must stay open
 * as long as the ring.  Any fd that can be mapped works: tests pass a memfd and write the records
 * themselves.  NULL and errno: EPERM is the perf_event_mlock_kb limit, EINVAL a page count that is
 * no power of two.
 */
struct ring *ring_open(int fd, size_t data_pages);

/* Unmap and free; NULL is allowed. */
void ring_close(struct ring *ring);

/* Read the kernel's head (K1).  Copying ends there, so it ends even with a fast producer. */
void ring_look(struct ring *ring);

/*
 * Copy whole records, as many as fit in `room` bytes, up to the head of ring_look().  Returns the
 * number of bytes, 0 when there is no record or the next one does not fit; those behind them in `out`
 * may be written too.  At an invalid record (a size under 8, not a multiple of 8, or beyond the head)
 * the copy ends, the rest up to the head is skipped, and ring_corrupt() is incremented.  ring_look()
 * does the same when more is unread than the ring holds.
 */
size_t ring_copy(struct ring *ring, void *out, size_t room);

/* Let the kernel reuse the room of all records copied (K2).  Once per block is enough. */
void ring_release(struct ring *ring);

/* Bytes up to the head of ring_look() that are not yet copied. */
size_t ring_unread(const struct ring *ring);

/* How often its contents were corrupt. */
uint64_t ring_corrupt(const struct ring *ring);

/* Bytes mapped. */
size_t ring_bytes(const struct ring *ring);

#endif
