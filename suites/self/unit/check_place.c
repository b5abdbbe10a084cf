/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where we run: what doctor says of CLW_DEVICE_ID, of device nodes and driver
 * versions, with devices and a / that are made up. And a device's PCI address.
 */
#include "config.h"

#include "harness/main/machine_place.h"

#include "harness/machine/query_device.h"
#include "suites/self/lib/made_root.h"
#include "suites/self/lib/run_suite.h"

static struct claw_machine machine;
static struct claw_icd icd;
static struct claw_place place;

static void setup(void)
{
	made_root_begin();
	machine = (struct claw_machine){ .platforms = json_array() };
	icd = (struct claw_icd){ .file = NULL };
}

static void teardown(void)
{
	json_decref(machine.platforms);
	made_root_end();
}

static void add_device(const char *vendor, const char *name, cl_ulong type,
		       bool is_unified, const char *driver)
{
	json_array_append_new(machine.platforms, json_pack(
		"{s:s, s:[{s:i, s:s, s:I, s:b, s:s}]}", "vendor", vendor,
		"devices", "number", (int)machine.device_count, "name", name,
		"type", (json_int_t)type, "host_unified_memory", is_unified,
		"driver_version", driver));
	machine.device_count++;
}

static void look(const char *device_id)
{
	claw_place_look(&place, made_root, &machine, &icd, icd.file != NULL,
			device_id);
}

/* The only remark is of that state and has both parts. */
static void says(enum claw_place_state state, const char *text,
		 const char *todo)
{
	ck_assert_uint_eq(place.count, 1);
	ck_assert_int_eq(place.remarks[0].state, state);
	ck_assert_msg(strstr(place.remarks[0].text, text) != NULL, "%s",
		      place.remarks[0].text);
	ck_assert_msg(strstr(place.remarks[0].todo, todo) != NULL, "%s",
		      place.remarks[0].todo);
}

START_TEST(choice__lesser_device_beside_a_discrete_gpu)
{
	add_device("pocl", "cpu-x", CL_DEVICE_TYPE_CPU, true, "3");
	add_device("Intel", "UHD", CL_DEVICE_TYPE_GPU, true, "23");
	add_device("Acme", "Big", CL_DEVICE_TYPE_GPU, false, "1");
	look("0");
	says(CLAW_PLACE_NOTE, "CLW_DEVICE_ID=0 is a CPU (cpu-x), although there "
	     "is a discrete GPU: Big", "CLW_DEVICE_ID=2");
	look("1");
	says(CLAW_PLACE_NOTE, "is an integrated GPU (UHD)", "CLW_DEVICE_ID=2");
	look("2");
	ck_assert_uint_eq(place.count, 0);
	look(NULL);
	ck_assert_uint_eq(place.count, 0);
	look("9");
	ck_assert_uint_eq(place.count, 0);
	look("no");
	ck_assert_uint_eq(place.count, 0);
}
END_TEST

START_TEST(choice__nothing_better_is_here)
{
	add_device("pocl", "cpu-x", CL_DEVICE_TYPE_CPU, true, "3");
	add_device("Intel", "UHD", CL_DEVICE_TYPE_GPU, true, "23");
	look("0");
	ck_assert_uint_eq(place.count, 0);
}
END_TEST

START_TEST(nodes__amd_without_its_node)
{
	icd.file = (char *)"/etc/OpenCL/vendors/amdocl64.icd";
	made_file("/proc/1/cgroup", "0::/kubepods/pod1\n");
	look(NULL);
	says(CLAW_PLACE_NOTE, "no /dev/kfd", "--device /dev/kfd");
	made_file("/dev/kfd", "%s", "");
	look(NULL);
	says(CLAW_PLACE_NOTE, "no /dev/dri/renderD*", "--device");
	made_file("/dev/dri/renderD128", "%s", "");
	look(NULL);
	ck_assert_uint_eq(place.count, 0);
}
END_TEST

START_TEST(nodes__overlay_is_a_container)
{
	icd.file = (char *)"/etc/OpenCL/vendors/x.icd";
	icd.library = (char *)"/usr/lib/libigdrcl.so";
	made_file("/proc/mounts", "overlay / overlay rw 0 0\n");
	look(NULL);
	says(CLAW_PLACE_NOTE, "not the device", "start the container");
	made_file("/proc/mounts", "/dev/vda / ext4 rw 0 0\n");
	look(NULL);
	says(CLAW_PLACE_NOTE, "no /dev/dri", "i915 or xe (modprobe)");
}
END_TEST

START_TEST(nodes__wsl_has_others)
{
	icd.file = (char *)"nvidia.icd";
	made_file("/proc/version", "Linux version 5.15-Microsoft\n");
	made_file("/dev/dxg", "%s", "");
	look(NULL);
	says(CLAW_PLACE_NOTE, "WSL2", "double --timeout");
}
END_TEST

START_TEST(driver__what_opencl_says_counts_before_files)
{
	add_device("NVIDIA Corporation", "H100", CL_DEVICE_TYPE_GPU, false,
		   "580.1");
	made_file("/sys/module/nvidia/version", "580.1\n");
	made_link("/usr/lib/libnvidia-opencl.so.1", "libnvidia-opencl.so.9.9");
	look(NULL);
	says(CLAW_PLACE_OK, "NVIDIA 580.1, same version of kernel module "
	     "and OpenCL library", "");
	made_file("/sys/module/nvidia/version", "575.2\n");
	made_file("/run/.containerenv", "%s", "");
	look(NULL);
	says(CLAW_PLACE_BAD, "kernel module is 575.2 but its OpenCL library is "
	     "580.1", "host's libraries in the container");
}
END_TEST

START_TEST(driver__module_without_opencl)
{
	made_file("/proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX "
		  "x86_64 Kernel Module  470.10  Tue Nov 1 2022\n");
	look(NULL);
	says(CLAW_PLACE_NOTE, "NVIDIA's kernel module is 470.10; its OpenCL "
	     "driver is not installed", "apt install");
	made_file("/proc/driver/nvidia/version", "NVRM version: what\n");
	look(NULL);
	ck_assert_uint_eq(place.count, 0);
}
END_TEST

START_TEST(driver__amdgpu_says_both)
{
	add_device("Advanced Micro Devices, Inc.", "gfx90a",
		   CL_DEVICE_TYPE_GPU, false, "3590.0 (HSA1.1,LC)");
	made_file("/sys/module/amdgpu/version", "6.8.5\n");
	look(NULL);
	says(CLAW_PLACE_OK, "kernel module 6.8.5, OpenCL driver 3590.0", "");
}
END_TEST

/* A device that answers to some queries, by vendor. */
static char fake_vendor;

static cl_int CL_API_CALL fake_info(cl_device_id device, cl_device_info what,
				    size_t size, void *value, size_t *ret_size)
{
	static const cl_uint khr[] = { 1, 0x65, 3, 2 };
	static const cl_uint bus = 0x17, slot = 0x1f << 3 | 1, domain = 0x10;
	static const unsigned char amd[24] = { 1, [21] = 3, 4, 5 };
	const void *answer = NULL;
	size_t bytes = sizeof(cl_uint);

	(void)device;
	if (fake_vendor == 'k' && what == 0x410F)
		answer = khr, bytes = sizeof(khr);
	if (fake_vendor == 'n')
		answer = what == 0x4008 ? &bus : what == 0x4009 ? &slot :
			what == 0x400A ? &domain : NULL;
	if (fake_vendor == 'a' && what == 0x4037)
		answer = amd, bytes = sizeof(amd);
	if (!answer)
		return CL_INVALID_VALUE;
	if (value && size < bytes)
		return CL_INVALID_VALUE;
	if (value)
		memcpy(value, answer, bytes);
	if (ret_size)
		*ret_size = bytes;
	return CL_SUCCESS;
}

static void has_pci(char vendor, const char *extensions, const char *expected)
{
	json_t *object = json_pack("{s:s}", "extensions", extensions);
	const char *pci;

	fake_vendor = vendor;
	claw_query_pci(object, fake_info, NULL);
	pci = json_string_value(json_object_get(object, "pci"));
	ck_assert_pstr_eq(pci, expected);
	json_decref(object);
}

START_TEST(pci__of_each_extension)
{
	has_pci('k', "cl_x cl_khr_pci_bus_info", "0001:65:03.2");
	has_pci('n', "cl_nv_device_attribute_query cl_x", "0010:17:1f.1");
	has_pci('a', "cl_amd_device_attribute_query", "0000:03:04.5");
	has_pci('k', "cl_nv_device_attribute_query", NULL);
	has_pci('x', "cl_khr_pci_bus_info cl_nv_device_attribute_query "
		"cl_amd_device_attribute_query", NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("place");
	TCase *tests = tcase_create("place");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, choice__lesser_device_beside_a_discrete_gpu);
	tcase_add_test(tests, choice__nothing_better_is_here);
	tcase_add_test(tests, nodes__amd_without_its_node);
	tcase_add_test(tests, nodes__overlay_is_a_container);
	tcase_add_test(tests, nodes__wsl_has_others);
	tcase_add_test(tests, driver__what_opencl_says_counts_before_files);
	tcase_add_test(tests, driver__module_without_opencl);
	tcase_add_test(tests, driver__amdgpu_says_both);
	tcase_add_test(tests, pci__of_each_extension);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
