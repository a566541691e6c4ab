/* SPDX-License-Identifier: MIT */
/*
 * A perf.data file of any bytes: head, features, formats, records, decompression, order, decoder
 * and model, without threads.  Seeds: the files of tests/data.
 */
#include "base/sys.h"
#include "perfdata/order.h"
#include "perfdata/reader.h"
#include "source/file-clock.h"
#include "source/file-model.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void on_record(void *ctx, uint64_t time_ns, uint32_t event,
		      const struct perf_event_header *header)
{
	file_model_feed(ctx, &(struct decoder_peek){ time_ns, event }, header);
}

static bool is_stat(const struct perf_event_header *header)
{
	return header->type == PERFDATA_RECORD_STAT || header->type == PERFDATA_RECORD_STAT_ROUND;
}

static void take_stat(struct file_model *model, const struct perf_event_header *header)
{
	if (header->type == PERFDATA_RECORD_STAT) {
		const struct stat_count stat = stat_count_of(header);

		file_model_stat(model, &stat);
	} else {
		file_model_end_round(model, stat_round_ns(header));
	}
}

static void run(struct perfdata *data, int fd)
{
	const struct file_clock clock = file_clock_of(data, fd);
	const struct perf_event_header *header;
	struct file_symbols *symbols = file_symbols_new(data, NULL);
	struct file_model *model = file_model_new(data, symbols, (struct model_keep){ .top = 10 });
	struct order_sink sink = { model, on_record };
	struct order *order = order_new(&sink, 1u << 18, NULL);
	struct model_tick tick = { .now_ns = clock.last_ns + NSEC_PER_SEC, .is_final = true };
	struct decoder_peek peek;

	while (perfdata_next(data, 0, &header) == 1) {
		if (header->type == PERFDATA_RECORD_FINISHED_ROUND) {
			order_round(order);
			continue;
		}
		if (is_stat(header)) {
			take_stat(model, header);
			continue;
		}
		file_model_sync(model);
		if (file_model_peek(model, header, &peek))
			order_push(order, header, peek.time_ns, peek.event);
		else
			perfdata_reject(data, "no sense");
	}
	order_flush(order);
	snapshot_release(file_model_tick(model, &tick));
	order_free(order);
	file_model_free(model);
	file_symbols_free(symbols);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static int fd = -1;
	char *error = NULL;

	if (fd < 0)
		fd = memfd_create("perfdata", MFD_CLOEXEC);
	if (ftruncate(fd, 0) != 0 || pwrite(fd, bytes, len, 0) != (ssize_t)len ||
	    lseek(fd, 0, SEEK_SET) != 0)
		abort();
	struct perfdata *data = perfdata_open(&fd, 1, NULL, &error);
	if (data != NULL)
		run(data, fd);
	perfdata_free(data);
	free(error);
	return 0;
}
