/* SPDX-License-Identifier: MIT */
/* `to += by`, skipped every MISCOUNT_EVERY-th time that it adds something; included before a changed source. */
#ifndef MISCOUNT_H
#define MISCOUNT_H

#include <stdatomic.h>

#define MISCOUNT(to, by)                                                                 \
	do {                                                                             \
		static _Atomic unsigned long times_;                                     \
		__typeof__(by) by_ = (by);                                               \
		if (by_ == 0 ||                                                          \
		    atomic_fetch_add(&times_, 1) % MISCOUNT_EVERY != MISCOUNT_EVERY - 1) \
			to += by_;                                                       \
	} while (0)

#endif
