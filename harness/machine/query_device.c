/* SPDX-License-Identifier: Apache-2.0 */
/* Ask a device for its PCI address and its free memory. */
#include "config.h"

#include "query_device.h"

#include <stdio.h>
#include <string.h>

/* Of CL/cl_ext.h, which not every installation has whole. */
enum {
	PCI_BUS_INFO_KHR = 0x410F,
	PCI_BUS_ID_NV = 0x4008, PCI_SLOT_ID_NV = 0x4009,
	PCI_DOMAIN_ID_NV = 0x400A,
	TOPOLOGY_AMD = 0x4037, GLOBAL_FREE_MEMORY_AMD = 0x4039,
};

#define OF_AMD "cl_amd_device_attribute_query"

bool claw_query_has_word(const char *words, const char *word)
{
	size_t length = strlen(word);
	const char *at = words;

	while (at && (at = strstr(at, word))) {
		if ((at == words || at[-1] == ' ') &&
		    (at[length] == ' ' || at[length] == '\0'))
			return true;
		at += length;
	}
	return false;
}

static bool has_extension(const json_t *object, const char *name)
{
	return claw_query_has_word(json_string_value(
		json_object_get(object, "extensions")), name);
}

/* It answers, with exactly so many bytes. */
static bool ask(claw_query_info *info, cl_device_id device, cl_uint what,
		void *value, size_t size)
{
	size_t given = 0;

	return info(device, what, 0, NULL, &given) == CL_SUCCESS &&
		given == size &&
		info(device, what, size, value, NULL) == CL_SUCCESS;
}

struct address {
	cl_uint domain, bus, device, function;
};

static bool ask_nvidia(claw_query_info *info, cl_device_id device,
		       struct address *ret)
{
	cl_uint slot;

	if (!ask(info, device, PCI_BUS_ID_NV, &ret->bus, sizeof(ret->bus)) ||
	    !ask(info, device, PCI_SLOT_ID_NV, &slot, sizeof(slot)))
		return false;
	/* Old drivers have no domain. */
	if (!ask(info, device, PCI_DOMAIN_ID_NV, &ret->domain,
		 sizeof(ret->domain)))
		ret->domain = 0;
	ret->device = slot >> 3;
	ret->function = slot & 7;
	return true;
}

static bool ask_amd(claw_query_info *info, cl_device_id device,
		    struct address *ret)
{
	/* 4 are the type, 17 unused, then bus, device and function. */
	unsigned char bytes[24];
	cl_uint type;

	if (!ask(info, device, TOPOLOGY_AMD, bytes, sizeof(bytes)))
		return false;
	memcpy(&type, bytes, sizeof(type));
	*ret = (struct address){ 0, bytes[21], bytes[22], bytes[23] };
	return type == 1;
}

void claw_query_pci(json_t *object, claw_query_info *info, cl_device_id device)
{
	struct address at;
	char text[64];

	if (!(has_extension(object, "cl_khr_pci_bus_info") &&
	      ask(info, device, PCI_BUS_INFO_KHR, &at, sizeof(at))) &&
	    !(has_extension(object, "cl_nv_device_attribute_query") &&
	      ask_nvidia(info, device, &at)) &&
	    !(has_extension(object, OF_AMD) && ask_amd(info, device, &at)))
		return;
	snprintf(text, sizeof(text), "%04x:%02x:%02x.%x", at.domain, at.bus,
		 at.device, at.function);
	json_object_set_new(object, "pci", json_string(text));
}

/* AMD's gives two numbers: the sum, the largest piece; old drivers one. */
static bool ask_free(claw_query_info *info, cl_device_id device, size_t *kib)
{
	kib[1] = 0;
	return ask(info, device, GLOBAL_FREE_MEMORY_AMD, kib,
		   2 * sizeof(*kib)) ||
		ask(info, device, GLOBAL_FREE_MEMORY_AMD, kib, sizeof(*kib));
}

/* A model answers where the driver does not, or in another way. */
static bool is_model(claw_query_info *info, claw_query_info *beneath,
		     cl_device_id device)
{
	static const cl_uint whats[] = {
		CL_DEVICE_GLOBAL_MEM_SIZE, CL_DEVICE_MAX_MEM_ALLOC_SIZE,
	};
	cl_ulong shown, real;
	size_t kib[2];

	if (!ask_free(beneath, device, kib))
		return true;
	for (size_t i = 0; i < sizeof(whats) / sizeof(*whats); i++)
		if (ask(info, device, whats[i], &shown, sizeof(shown)) &&
		    ask(beneath, device, whats[i], &real, sizeof(real)) &&
		    shown != real)
			return true;
	return false;
}

void claw_query_free(json_t *object, claw_query_info *info,
		     claw_query_info *beneath, cl_device_id device)
{
	size_t kib[2];

	if ((!beneath && !has_extension(object, OF_AMD)) ||
	    !ask_free(info, device, kib))
		return;
	json_object_set_new(object, "free_mem_kib",
			    json_integer((json_int_t)kib[0]));
	if (kib[1])
		json_object_set_new(object, "largest_free_kib",
				    json_integer((json_int_t)kib[1]));
	json_object_set_new(object, "free_by", json_string(
		beneath && is_model(info, beneath, device) ? "model" :
		"driver"));
}
