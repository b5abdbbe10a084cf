/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of a soak: put together what meters, /proc and the device say. */
#include "config.h"

#include "sampler_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/machine/usage.h"

struct claw_sampler *claw_sampler_new(void)
{
	struct claw_sampler *sampler = claw_calloc(1, sizeof(*sampler));

	sampler->names = claw_site_names_new();
	return sampler;
}

void claw_sampler_free(struct claw_sampler *sampler)
{
	if (!sampler)
		return;
	claw_sampler_forget(sampler);
	claw_site_names_free(sampler->names);
	free(sampler);
}

static uint64_t count_of(const struct claw_sample *sample,
			 enum claw_series_id id)
{
	double value = sample->values[id];

	return value >= 0 && value < 1e18 ? (uint64_t)value : 0;
}

void claw_sampler_continue(struct claw_sampler *sampler,
			   const struct claw_sample *last)
{
	struct claw_sampler_totals *totals = &sampler->totals;

	totals->calls = count_of(last, CLAW_SERIES_CALLS);
	totals->failed = count_of(last, CLAW_SERIES_ERRORS);
	totals->injected = count_of(last, CLAW_SERIES_FAULTS);
	totals->launches = count_of(last, CLAW_SERIES_LAUNCHES);
	totals->wrong_results = count_of(last, CLAW_SERIES_WRONG_RESULTS);
	sampler->launches_before = totals->launches;
	sampler->ever_metered = totals->calls > 0;
}

void claw_sampler_begin(struct claw_sampler *sampler,
			const struct claw_session *session)
{
	claw_sampler_forget(sampler);
	sampler->directory = session->directory;
	sampler->has_meters = sampler->has_lost = false;
}

void claw_sampler_look(struct claw_sampler *sampler)
{
	claw_sampler_read(sampler);
	claw_site_names_poll(sampler->names, 0);
}

void claw_sampler_end(struct claw_sampler *sampler)
{
	claw_sampler_read(sampler);
	claw_sampler_forget(sampler);
}

const struct claw_sampler_totals *
claw_sampler_get_totals(const struct claw_sampler *sampler)
{
	return &sampler->totals;
}

bool claw_sampler_has_meters(const struct claw_sampler *sampler)
{
	return sampler->has_meters;
}

bool claw_sampler_has_lost(const struct claw_sampler *sampler)
{
	return sampler->has_lost;
}

uint64_t claw_sampler_get_peak(const struct claw_sampler *sampler)
{
	return sampler->peak_bytes;
}

/* ---- live objects ------------------------------------------------------ */

static const struct { enum claw_obj object; enum claw_series_id series; }
objects[] = {
	{ CLAW_OBJ_CONTEXT, CLAW_SERIES_CONTEXTS },
	{ CLAW_OBJ_QUEUE, CLAW_SERIES_QUEUES },
	{ CLAW_OBJ_MEM, CLAW_SERIES_BUFFERS },
	{ CLAW_OBJ_SAMPLER, CLAW_SERIES_SAMPLERS },
	{ CLAW_OBJ_PROGRAM, CLAW_SERIES_PROGRAMS },
	{ CLAW_OBJ_KERNEL, CLAW_SERIES_KERNELS },
	{ CLAW_OBJ_EVENT, CLAW_SERIES_EVENTS },
	{ CLAW_OBJ_SVM, CLAW_SERIES_SVM },
	{ CLAW_OBJ_MAPPING, CLAW_SERIES_MAPPINGS },
};

/* NAN is what nothing was added to. */
static void add(double *value, double more)
{
	*value = isnan(*value) ? more : *value + more;
}

static void add_objects(const struct claw_meter_file *meters, double *values)
{
	for (size_t i = 0; i < sizeof(objects) / sizeof(*objects); i++)
		add(&values[objects[i].series],
		    (double)meters->live[objects[i].object]);
	add(&values[CLAW_SERIES_DEVICE_BYTES], (double)meters->live_bytes);
}

/* Processes of one program have the same sites. */
static void add_site(struct claw_sampler *sampler, const char *site,
		     const char *place, const struct claw_meter_site *meter)
{
	struct claw_sample_site *one;

	for (size_t i = 0; i < sampler->site_count; i++) {
		one = &sampler->sites[i];
		/* Texts are of one table, but for the unknown. */
		if (one->site != site || one->place != place)
			continue;
		one->objects += meter->objects;
		one->bytes += meter->bytes;
		return;
	}
	if (sampler->site_count == CLAW_SAMPLER_SITES)
		return;
	sampler->sites[sampler->site_count++] = (struct claw_sample_site){
		.site = site, .place = place, .objects = meter->objects,
		.bytes = meter->bytes,
	};
}

static void add_sites(struct claw_sampler *sampler,
		      const struct claw_metered *process)
{
	static const char unknown[] = "unknown";
	const struct claw_meter_site *meters = process->last->sites;

	for (size_t i = 0; i < CLAW_METER_SITES; i++) {
		const struct claw_site_name *name = process->sites->names[i];

		/* Being looked up: the next sample has it. */
		if (!meters[i].objects ||
		    (i > 0 && !name && !claw_site_names_gave_up(
			process->sites, (uint32_t)i)))
			continue;
		add_site(sampler, name ? name->site : unknown,
			 name ? name->place : NULL, &meters[i]);
	}
}

/* New sites get their names meanwhile, those of the first look at once: it may
 * be the only one. */
static void name_sites(struct claw_sampler *sampler)
{
	for (size_t i = 0; i < sampler->process_count; i++) {
		struct claw_metered *process = &sampler->processes[i];
		char *journal;

		if (!process->is_alive || !process->last ||
		    !claw_site_names_idle(sampler->names))
			continue;
		journal = claw_session_sibling(process->path, "journal");
		if (journal)
			claw_site_names_ask(sampler->names, process->sites,
					    process->last->sites, journal);
		free(journal);
	}
}

static void take_live(struct claw_sampler *sampler, double *values)
{
	enum { WAIT_MS = 20 };

	name_sites(sampler);
	claw_site_names_poll(sampler->names, WAIT_MS);
	sampler->site_count = 0;
	for (size_t i = 0; i < sampler->process_count; i++) {
		const struct claw_metered *process = &sampler->processes[i];

		if (!process->is_alive || !process->last)
			continue;
		add_objects(process->last, values);
		add_sites(sampler, process);
	}
}

/* ---- calls ------------------------------------------------------------- */

static double quantile_ms(const struct claw_sampler *sampler,
			  const struct claw_meter *meter, double part)
{
	if (!meter->count || sampler->ns_per_tick <= 0)
		return NAN;
	return claw_meter_quantile(meter, part) * sampler->ns_per_tick / 1e6;
}

static double longest_ms(const struct claw_sampler *sampler,
			 const struct claw_meter *meter)
{
	if (!meter->count || sampler->ns_per_tick <= 0)
		return NAN;
	return (double)meter->max_ticks * sampler->ns_per_tick / 1e6;
}

static void take_latencies(const struct claw_sampler *sampler, double *values)
{
	const struct claw_meter *meters = sampler->interval;
	const struct claw_meter *launch = &meters[CLAW_METER_LAUNCH];
	const struct claw_meter *alloc = &meters[CLAW_METER_ALLOC];
	struct claw_meter transfer = meters[CLAW_METER_WRITE];

	claw_meter_add(&transfer, &meters[CLAW_METER_READ]);
	values[CLAW_SERIES_LAUNCH_P50] = quantile_ms(sampler, launch, 0.5);
	values[CLAW_SERIES_LAUNCH_P90] = quantile_ms(sampler, launch, 0.9);
	values[CLAW_SERIES_LAUNCH_P99] = quantile_ms(sampler, launch, 0.99);
	values[CLAW_SERIES_LAUNCH_MAX] = longest_ms(sampler, launch);
	values[CLAW_SERIES_TRANSFER_P50] = quantile_ms(sampler, &transfer, 0.5);
	values[CLAW_SERIES_TRANSFER_P90] = quantile_ms(sampler, &transfer, 0.9);
	values[CLAW_SERIES_TRANSFER_P99] =
		quantile_ms(sampler, &transfer, 0.99);
	values[CLAW_SERIES_TRANSFER_MAX] = longest_ms(sampler, &transfer);
	values[CLAW_SERIES_ALLOC_P50] = quantile_ms(sampler, alloc, 0.5);
	values[CLAW_SERIES_ALLOC_MAX] = longest_ms(sampler, alloc);
}

static void take_calls(struct claw_sampler *sampler, double interval_ms,
		       double *values)
{
	const struct claw_sampler_totals *totals = &sampler->totals;
	const struct claw_meter *meters = sampler->interval;
	uint64_t bytes = meters[CLAW_METER_WRITE].bytes +
		meters[CLAW_METER_READ].bytes + meters[CLAW_METER_COPY].bytes;

	if (!sampler->ever_metered)
		return;
	values[CLAW_SERIES_CALLS] = (double)totals->calls;
	values[CLAW_SERIES_ERRORS] = (double)totals->failed;
	values[CLAW_SERIES_FAULTS] = (double)totals->injected;
	values[CLAW_SERIES_LAUNCHES] = (double)totals->launches;
	values[CLAW_SERIES_WRONG_RESULTS] = (double)totals->wrong_results;
	if (interval_ms > 0) {
		values[CLAW_SERIES_LAUNCH_RATE] = 1000 *
			(double)(totals->launches - sampler->launches_before) /
			interval_ms;
		values[CLAW_SERIES_TRANSFER_RATE] =
			1000 * (double)bytes / interval_ms;
	}
	sampler->launches_before = totals->launches;
	take_latencies(sampler, values);
}

/* ---- the machine ------------------------------------------------------- */

/* Of one process and of the machine since the last sample of that process. */
static void take_cpu(struct claw_sampler *sampler,
		     const struct claw_usage *usage, double machine_ms,
		     double interval_ms, double *values)
{
	double cpu = 100 * (usage->cpu_ms - sampler->cpu_ms) / interval_ms;
	double wait = 100 * (usage->wait_ms - sampler->wait_ms) / interval_ms;
	double all = 100 * (machine_ms - sampler->machine_ms) / interval_ms;

	if (cpu >= 0)
		values[CLAW_SERIES_CPU] = cpu;
	if (wait >= 0)
		values[CLAW_SERIES_CPU_WAIT] = wait;
	/* Of all processors; the two are not read at the very same time. */
	if (cpu >= 0 && all >= 0)
		values[CLAW_SERIES_MACHINE_LOAD] = fmax(0, all - cpu) /
			(double)sysconf(_SC_NPROCESSORS_ONLN);
}

static void take_usage(struct claw_sampler *sampler, int pid,
		       double interval_ms, double *values)
{
	double machine_ms = claw_usage_machine_ms();
	struct claw_usage usage;

	usage.processes = 0;
	if (pid > 0)
		claw_usage_read(pid, &usage);
	if (!usage.processes) {
		sampler->cpu_pid = 0;
		return;
	}
	values[CLAW_SERIES_RSS] = usage.rss;
	values[CLAW_SERIES_PSS] = usage.pss;
	values[CLAW_SERIES_HEAP] = usage.heap;
	values[CLAW_SERIES_THREADS] = usage.threads;
	values[CLAW_SERIES_FILES] = usage.files;
	if (sampler->cpu_pid == pid && interval_ms > 0)
		take_cpu(sampler, &usage, machine_ms, interval_ms, values);
	sampler->cpu_pid = pid;
	sampler->cpu_ms = usage.cpu_ms;
	sampler->wait_ms = usage.wait_ms;
	sampler->machine_ms = machine_ms;
}

static double count_bits(uint64_t bits)
{
	return __builtin_popcountll(bits);
}

static void take_device(struct claw_sampler *sampler,
			struct claw_telemetry *telemetry, double *values)
{
	struct claw_telemetry_values *device = &sampler->device;

	if (!telemetry)
		return;
	claw_telemetry_read(telemetry, device);
	values[CLAW_SERIES_VENDOR_BYTES] = device->used_bytes;
	values[CLAW_SERIES_UTILIZATION] = device->utilization;
	values[CLAW_SERIES_TEMPERATURE] = device->temperature;
	values[CLAW_SERIES_CLOCK] = device->clock_mhz;
	values[CLAW_SERIES_POWER] = device->power_watt;
	values[CLAW_SERIES_ECC_CORRECTED] = device->ecc_corrected;
	values[CLAW_SERIES_ECC_UNCORRECTED] = device->ecc_uncorrected;
	values[CLAW_SERIES_PCIE_REPLAYS] = device->pcie_replays;
	values[CLAW_SERIES_THROTTLED] = device->has_throttle ?
		count_bits(device->throttle_reasons) : NAN;
}

void claw_sampler_take(struct claw_sampler *sampler, int pid,
		       double interval_ms, struct claw_telemetry *telemetry,
		       struct claw_sample *ret_sample)
{
	double *values = ret_sample->values;

	claw_sample_init(ret_sample);
	claw_sampler_look(sampler);
	take_live(sampler, values);
	take_calls(sampler, interval_ms, values);
	take_usage(sampler, pid, interval_ms, values);
	values[CLAW_SERIES_MACHINE_SWAP] = claw_usage_swap_bytes();
	take_device(sampler, telemetry, values);
	memset(sampler->interval, 0, sizeof(sampler->interval));
}

size_t claw_sampler_get_sites(const struct claw_sampler *sampler,
			      const struct claw_sample_site **ret_sites)
{
	*ret_sites = sampler->sites;
	return sampler->site_count;
}

const struct claw_telemetry_values *
claw_sampler_get_device(const struct claw_sampler *sampler)
{
	return &sampler->device;
}
