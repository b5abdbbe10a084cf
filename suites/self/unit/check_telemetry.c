/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What devices say outside of OpenCL: a made-up NVIDIA library (made_nvml.c),
 * made-up files of amdgpu, i915 and xe; what is refused is no number. And what
 * is new in a made-up log of the kernel.
 */
#include "config.h"

#include "harness/machine/telemetry.h"

#include <limits.h>

#include "harness/soak/monitor/xid_watch.h"
#include "suites/self/lib/made_root.h"
#include "suites/self/lib/run_suite.h"

static struct claw_telemetry *telemetry;
static struct claw_telemetry_values values;
static char error[512];

static void setup(void)
{
	made_root_begin();
	unsetenv("MADE_NVML");
}

static void teardown(void)
{
	claw_telemetry_close(telemetry);
	telemetry = NULL;
	made_root_end();
}

static void make_nvml(const char *words)
{
	char path[PATH_MAX];

	ck_assert_ptr_nonnull(realpath("suites/self/driver/made_nvml.so", path));
	made_link("/libnvidia-ml.so.1", path);
	setenv("MADE_NVML", words, 1);
}

static void look(const char *pci, const char *name)
{
	claw_telemetry_close(telemetry);
	telemetry = claw_telemetry_open(pci, name, made_root, error,
					sizeof(error));
	ck_assert_msg(telemetry != NULL, "%s", error);
	claw_telemetry_read(telemetry, &values);
}

static void refused(const char *pci, const char *name, const char *why)
{
	*error = '\0';
	telemetry = claw_telemetry_open(pci, name, made_root, error,
					sizeof(error));
	ck_assert_ptr_null(telemetry);
	ck_assert_msg(strstr(error, why) != NULL, "\"%s\" lacks \"%s\"", error,
		      why);
}

START_TEST(nvml__device_by_its_address)
{
	make_nvml("");
	look("00000000:65:00.0", NULL);
	ck_assert_str_eq(claw_telemetry_source(telemetry), "NVML 580.1.2");
	ck_assert_double_eq(values.total_bytes, 10240. * (1 << 20));
	ck_assert_double_eq(values.used_bytes, 8704. * (1 << 20));
	ck_assert_double_eq(values.temperature, 61);
	ck_assert_double_eq(values.clock_mhz, 1980);
	ck_assert_double_eq(values.power_watt, 350.5);
	ck_assert_double_eq(values.utilization, 93);
	ck_assert_double_eq(values.ecc_corrected, 7);
	ck_assert_double_eq(values.ecc_uncorrected, 2);
	ck_assert_double_eq(values.pcie_replays, 3);
	ck_assert(values.has_throttle);
	look("17:00.0", NULL);
	ck_assert_double_eq(values.total_bytes, 1024. * (1 << 20));
	claw_telemetry_close(telemetry);
	refused("0000:99:00.0", NULL, "NVML has no device 0000:99:00.0: Not");
}
END_TEST

START_TEST(nvml__device_by_its_name)
{
	make_nvml("");
	look(NULL, "NVIDIA Made Up 200");
	ck_assert_double_eq(values.total_bytes, 10240. * (1 << 20));
	claw_telemetry_close(telemetry);
	refused(NULL, "made up", "more than one device like made up");
	refused(NULL, "Turing", "NVML knows no device like Turing");
	refused(NULL, NULL, "more than one device");
	setenv("MADE_NVML", "one", 1);
	look(NULL, NULL);
	ck_assert_double_eq(values.total_bytes, 1024. * (1 << 20));
}
END_TEST

START_TEST(nvml__what_the_card_refuses_is_no_number)
{
	make_nvml("-memory -temperature -clock -power -ecc -replays -reasons "
		  "-utilization -version");
	look("0000:65:00.0", NULL);
	ck_assert_str_eq(claw_telemetry_source(telemetry), "NVML");
	ck_assert_double_nan(values.used_bytes);
	ck_assert_double_nan(values.total_bytes);
	ck_assert_double_nan(values.temperature);
	ck_assert_double_nan(values.clock_mhz);
	ck_assert_double_nan(values.power_watt);
	ck_assert_double_nan(values.utilization);
	ck_assert_double_nan(values.ecc_corrected);
	ck_assert_double_nan(values.ecc_uncorrected);
	ck_assert_double_nan(values.pcie_replays);
	ck_assert(!values.has_throttle);
}
END_TEST

START_TEST(nvml__idle_is_no_throttling)
{
	make_nvml("reasons=0x113");
	look("0000:65:00.0", NULL);
	ck_assert(values.has_throttle);
	ck_assert_uint_eq(values.throttle_reasons, 0);
	ck_assert_str_eq(values.throttle_text, "");
	setenv("MADE_NVML", "reasons=0x1ff", 1);
	claw_telemetry_read(telemetry, &values);
	ck_assert_uint_eq(values.throttle_reasons, 0xec);
	ck_assert_str_eq(values.throttle_text, "power cap, hardware slowdown, "
			 "software thermal slowdown, hardware thermal "
			 "slowdown, power brake");
}
END_TEST

START_TEST(nvml__library_that_does_not_work_says_why)
{
	refused(NULL, NULL, "no NVIDIA management library (libnvidia-ml.so.1)");
	make_nvml("init");
	refused(NULL, NULL, "NVML cannot be used: Driver Not Loaded");
	made_file("/not/libnvidia-ml.so.1", "not a library");
	strncat(made_root, "/not", sizeof(made_root) - strlen(made_root) - 1);
	refused(NULL, NULL, "no NVIDIA management library");
	made_root[strlen(made_root) - 4] = '\0';
}
END_TEST

#define CARD "/sys/class/drm/card1/"
#define DEVICE CARD "device/"

static void make_card(const char *driver)
{
	made_file(DEVICE "uevent", "DRIVER=%s\nPCI_CLASS=30000\n"
		  "PCI_SLOT_NAME=0000:03:00.0\nMODALIAS=x\n", driver);
	made_file("/sys/class/drm/card1-DP-1/device/uevent", "DRIVER=%s\n"
		  "PCI_SLOT_NAME=0000:03:00.0\n", driver);
	made_file("/sys/class/drm/card0/device/uevent",
		  "DRIVER=ast\nPCI_SLOT_NAME=0000:02:00.0\n");
}

/* A gpu_metrics file of 120 bytes with that status. */
static void make_metrics(int content, uint64_t status)
{
	unsigned char bytes[120] = { 120, 0, 1, (unsigned char)content };
	char path[512];
	FILE *out;

	memcpy(bytes + 112, &status, sizeof(status));
	made_path(path, sizeof(path), DEVICE "gpu_metrics");
	out = fopen(path, "w");
	ck_assert_uint_eq(fwrite(bytes, 1, sizeof(bytes), out), sizeof(bytes));
	fclose(out);
}

START_TEST(amdgpu__all_files)
{
	make_card("amdgpu");
	made_file(DEVICE "mem_info_vram_used", "1610612736\n");
	made_file(DEVICE "mem_info_vram_total", "17163091968\n");
	made_file(DEVICE "gpu_busy_percent", "42\n");
	made_file(DEVICE "hwmon/hwmon4/temp1_input", "47000\n");
	made_file(DEVICE "hwmon/hwmon4/power1_average", "91000000\n");
	made_file(DEVICE "pp_dpm_sclk", "0: 500Mhz\n1: 2123Mhz *\n2: 9Mhz\n");
	made_file(DEVICE "ras/umc_err_count", "ue: 1\nce: 12\n");
	made_file(DEVICE "pcie_replay_count", "5\n");
	make_metrics(3, UINT64_C(1) << 36 | UINT64_C(1) << 16 | 2);
	look("0000:03:00.0", NULL);
	ck_assert_str_eq(claw_telemetry_source(telemetry), "amdgpu");
	ck_assert_double_eq(values.used_bytes, 1610612736);
	ck_assert_double_eq(values.total_bytes, 17163091968);
	ck_assert_double_eq(values.temperature, 47);
	ck_assert_double_eq(values.power_watt, 91);
	ck_assert_double_eq(values.utilization, 42);
	ck_assert_double_eq(values.clock_mhz, 2123);
	ck_assert_double_eq(values.ecc_uncorrected, 1);
	ck_assert_double_eq(values.ecc_corrected, 12);
	ck_assert_double_eq(values.pcie_replays, 5);
	ck_assert(values.has_throttle);
	ck_assert_str_eq(values.throttle_text,
			 "power cap, current limit, thermal slowdown");
	made_file(DEVICE "hwmon/hwmon4/freq1_input", "2200000000\n");
	made_file(DEVICE "hwmon/hwmon4/power1_average", "%s", "");
	made_file(DEVICE "hwmon/hwmon4/power1_input", "33000000\n");
	claw_telemetry_read(telemetry, &values);
	ck_assert_double_eq(values.clock_mhz, 2200);
	ck_assert_double_eq(values.power_watt, 33);
}
END_TEST

START_TEST(amdgpu__missing_files_are_no_numbers)
{
	make_card("amdgpu");
	made_file(DEVICE "mem_info_vram_total", "what\n");
	make_metrics(0, 1);
	look("0000:03:00.0", NULL);
	ck_assert_double_nan(values.used_bytes);
	ck_assert_double_nan(values.total_bytes);
	ck_assert_double_nan(values.temperature);
	ck_assert_double_nan(values.clock_mhz);
	ck_assert_double_nan(values.power_watt);
	ck_assert_double_nan(values.ecc_corrected);
	ck_assert_double_nan(values.ecc_uncorrected);
	ck_assert_double_nan(values.pcie_replays);
	ck_assert(!values.has_throttle);
	make_metrics(3, UINT64_MAX);
	claw_telemetry_read(telemetry, &values);
	ck_assert(!values.has_throttle);
	make_metrics(3, 0);
	claw_telemetry_read(telemetry, &values);
	ck_assert(values.has_throttle && !values.throttle_reasons);
}
END_TEST

START_TEST(amdgpu__is_found_by_what_it_is_called)
{
	make_card("amdgpu");
	look(NULL, "gfx1030");
	look(NULL, "AMD Radeon RX 6800 (radeonsi, navi21)");
	look(NULL, NULL);
	claw_telemetry_close(telemetry);
	refused(NULL, "NVIDIA H200", "no such device of amdgpu");
	refused(NULL, "cpu-haswell-AMD Ryzen 7 5700G with Radeon Graphics",
		"no such device of amdgpu");
	refused("0000:02:00.0", NULL, "no such device of amdgpu");
	made_file("/sys/class/drm/card2/device/uevent",
		  "DRIVER=amdgpu\nPCI_SLOT_NAME=0000:04:00.0\n");
	refused(NULL, "gfx1030", "more than one such device");
	look("0000:04:00.0", "gfx1030");
}
END_TEST

START_TEST(i915__what_there_is)
{
	make_card("i915");
	made_file(CARD "gt_act_freq_mhz", "1150\n");
	made_file(CARD "gt/gt0/throttle_reason_status", "1\n");
	made_file(CARD "gt/gt0/throttle_reason_pl1", "0\n");
	made_file(CARD "gt/gt0/throttle_reason_thermal", "1\n");
	look(NULL, "Intel(R) Iris(R) Xe Graphics");
	ck_assert_str_eq(claw_telemetry_source(telemetry), "i915");
	ck_assert_double_eq(values.clock_mhz, 1150);
	ck_assert_str_eq(values.throttle_text, "thermal slowdown");
	ck_assert_double_nan(values.used_bytes);
	ck_assert_double_nan(values.temperature);
}
END_TEST

START_TEST(xe__what_there_is)
{
	make_card("xe");
	made_file(DEVICE "tile0/gt0/freq0/act_freq", "2050\n");
	made_file(DEVICE "tile0/gt0/freq0/throttle/status", "0\n");
	made_file(DEVICE "hwmon/hwmon2/temp2_input", "51000\n");
	look(NULL, "Intel(R) Arc(TM) B580 Graphics");
	ck_assert_str_eq(claw_telemetry_source(telemetry), "xe");
	ck_assert_double_eq(values.clock_mhz, 2050);
	ck_assert_double_eq(values.temperature, 51);
	ck_assert(values.has_throttle && !values.throttle_reasons);
	claw_telemetry_close(telemetry);
	refused(NULL, "Intel(R) Xeon(R) Gold", "no such device of amdgpu");
}
END_TEST

static char seen_text[1024];

static void note(const struct claw_soak_event *event,
		 const struct claw_dmesg_line *line, void *user)
{
	size_t length = strlen(seen_text);

	ck_assert_ptr_eq(user, &values);
	ck_assert_str_eq(event->kind, "xid");
	ck_assert(!event->injected && event->count == 1 && line->text);
	snprintf(seen_text + length, sizeof(seen_text) - length, "%s|%s\n",
		 event->code ? event->code : "-", event->text);
}

static void scan(struct claw_xid_watch *watch, const char *log,
		 const char *pci, const char *expected)
{
	*seen_text = '\0';
	claw_xid_watch_scan(watch, log, pci, note, &values);
	ck_assert_str_eq(seen_text, expected);
}

#define XID_79 "<3>[  100.500000] NVRM: Xid (PCI:0000:65:00): 79, pid=1234, " \
	"name=tile, GPU has fallen off the bus.\n"
#define XID_48 "<3>[  100.500000] NVRM: Xid (PCI:0000:17:00): 48, DBE\n"
#define SAYS_79 "clw-device-lost|Xid 79 of 0000:65:00, process 1234 (tile): " \
	"the device has fallen off the bus (hardware)\n"
#define SAYS_48 "clw-ecc-error|Xid 48 of 0000:17:00: two bits of memory " \
	"flipped: cannot be corrected (hardware)\n"

START_TEST(xid__only_what_is_new)
{
	struct claw_xid_watch watch = { .stamp = 100.25 };

	scan(&watch, "<3>[   99.000000] NVRM: Xid (PCI:0000:65:00): 13, x\n"
	     "<6>[  100.400000] usb 1-1: new device\n" XID_79, NULL, SAYS_79);
	scan(&watch, XID_79, NULL, "");
	/* At the same moment, but not the same. */
	scan(&watch, XID_79 XID_48, NULL, SAYS_48);
	scan(&watch, XID_79 XID_48, NULL, "");
	scan(&watch, XID_79 XID_48 "[  101.0] NVRM: Xid (PCI:0000:65:00): "
	     "999, new\n", NULL, "-|Xid 999 of 0000:65:00: an error code "
	     "unknown to openclaw (device)\n");
}
END_TEST

START_TEST(xid__of_one_device)
{
	struct claw_xid_watch watch = { .stamp = 0 };

	scan(&watch, XID_79 XID_48, "0000:17:00.0", SAYS_48);
	scan(&watch, XID_79 XID_48, "0000:65:00.0", "");
	watch = (struct claw_xid_watch){ .stamp = 0 };
	scan(&watch, "no stamp NVRM: Xid (PCI:0000:65:00): 79, x\n", NULL, "");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("telemetry");
	TCase *tests = tcase_create("telemetry");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, nvml__device_by_its_address);
	tcase_add_test(tests, nvml__device_by_its_name);
	tcase_add_test(tests, nvml__what_the_card_refuses_is_no_number);
	tcase_add_test(tests, nvml__idle_is_no_throttling);
	tcase_add_test(tests, nvml__library_that_does_not_work_says_why);
	tcase_add_test(tests, amdgpu__all_files);
	tcase_add_test(tests, amdgpu__missing_files_are_no_numbers);
	tcase_add_test(tests, amdgpu__is_found_by_what_it_is_called);
	tcase_add_test(tests, i915__what_there_is);
	tcase_add_test(tests, xe__what_there_is);
	tcase_add_test(tests, xid__only_what_is_new);
	tcase_add_test(tests, xid__of_one_device);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
