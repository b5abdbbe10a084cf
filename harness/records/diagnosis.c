/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of faults/shared/diagnosis.def as tables.
 */
#include "config.h"

#include "diagnosis.h"

#include <string.h>

#define BY(how_) CLAW_HOW_##how_
#define NUMBER(...)
#define DIAGNOSIS(id_, code_, how_, cl_codes_, summary_, recognised_, is_not_, \
		  next_)						\
	{ code_, how_, cl_codes_, summary_, recognised_, is_not_, next_ },
const struct claw_diagnosis claw_diagnoses[] = {
#include "faults/shared/diagnosis.def"
};
#undef DIAGNOSIS
const size_t claw_diagnosis_count =
	sizeof(claw_diagnoses) / sizeof(*claw_diagnoses);

#define DIAGNOSIS(id_, code_, ...) code_,
const char *const claw_diagnosis_codes[] = {
#include "faults/shared/diagnosis.def"
	NULL,
};
#undef DIAGNOSIS
#undef NUMBER

#define DIAGNOSIS(...)
#define NUMBER(number_, whose_, code_, text_) \
	{ number_, whose_, code_, text_ },
static const struct claw_driver_number numbers[] = {
#include "faults/shared/diagnosis.def"
};
#undef DIAGNOSIS
#undef NUMBER

const char *claw_how_name(enum claw_how bit)
{
	switch (bit) {
	case CLAW_HOW_FAULT:
		return "an injected fault";
	case CLAW_HOW_CODE:
		return "an error code of OpenCL";
	case CLAW_HOW_TIME:
		return "a time limit was exceeded";
	case CLAW_HOW_SIGNAL:
		return "a fatal signal";
	case CLAW_HOW_FINDING:
		return "a finding";
	case CLAW_HOW_LIMIT:
		return "a limit of openclaw.yaml";
	case CLAW_HOW_SYSTEM:
		return "an entry of the system log";
	case CLAW_HOW_LIBRARY:
		return "an error of libclw";
	default:
		return "";
	}
}

const struct claw_diagnosis *claw_diagnosis_find(const char *code)
{
	for (size_t i = 0; i < claw_diagnosis_count; i++)
		if (strcmp(claw_diagnoses[i].code, code) == 0)
			return &claw_diagnoses[i];
	return NULL;
}

bool claw_diagnosis_has(const struct claw_diagnosis *diagnosis,
			const char *cl_code)
{
	size_t wanted = strlen(cl_code);

	for (const char *at = diagnosis->cl_codes; *at;) {
		size_t length = strcspn(at, " ");

		if (length == wanted && memcmp(at, cl_code, length) == 0)
			return true;
		at += length;
		at += strspn(at, " ");
	}
	return false;
}

const char *claw_diagnosis_of_fault(enum claw_fault fault)
{
	return fault == CLAW_FAULT_NONE ? "clw-memory-timeout" :
		claw_fault_table[fault].code;
}

const struct claw_driver_number *claw_driver_number_find(cl_int number)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (numbers[i].number == number)
			return &numbers[i];
	return NULL;
}
