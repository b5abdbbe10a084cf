/* SPDX-License-Identifier: Apache-2.0 */
/* Which device is which model: the models as they were read (model.h). */
#ifndef CLAW_MODEL_TABLE_H
#define CLAW_MODEL_TABLE_H

#include "guest.h"

enum { CLAW_MODELS_MAX = 8, CLAW_MODEL_TEXT_MAX = 128 };

/* One a row of model_keys.def: numbers in the session's unit, words as their
 * place in the row's list, texts as they are. */
struct claw_model {
#define CLAW_FIELD_SIZE(key_) uint64_t key_;
#define CLAW_FIELD_COUNT(key_) uint64_t key_;
#define CLAW_FIELD_PERCENT(key_) uint64_t key_;
#define CLAW_FIELD_DURATION(key_) uint64_t key_;
#define CLAW_FIELD_WORD(key_) uint64_t key_;
#define CLAW_FIELD_TEXT(key_) char key_[CLAW_MODEL_TEXT_MAX];
#define KEY(key_, kind_, ...) CLAW_FIELD_##kind_(key_)
#include "faults/shared/model_keys.def"
#undef KEY
};

enum claw_model_yes { CLAW_MODEL_NO, CLAW_MODEL_YES };
enum claw_model_same { CLAW_MODEL_SAME, CLAW_MODEL_IS_NOT, CLAW_MODEL_IS };
enum claw_model_type { CLAW_MODEL_ANY_TYPE, CLAW_MODEL_GPU, CLAW_MODEL_CPU,
		       CLAW_MODEL_ACCELERATOR };
enum claw_model_allocation { CLAW_MODEL_EAGER, CLAW_MODEL_LAZY };
enum claw_model_memory_failure { CLAW_MODEL_CALL_FAILS,
				 CLAW_MODEL_EVENT_FAILS };
enum claw_model_release { CLAW_MODEL_AT_ONCE, CLAW_MODEL_AFTER_COMMANDS };

/* As they were read; nobody writes there afterwards. */
extern unsigned int claw_models_known CLAW_HIDDEN;
extern struct claw_model claw_models[CLAW_MODELS_MAX] CLAW_HIDDEN;

static inline bool claw_models_are_on(void)
{
	return claw_models_known != 0;
}

static inline const struct claw_model *claw_model_get(unsigned int device)
{
	return &claw_models[device < claw_models_known ? device :
			    claw_models_known - 1];
}

/* The number of a device, or of the device that the call concerns first: its
 * model and its memory. 0 when it cannot be told; less than CLAW_MODELS_MAX. */
CLAW_HIDDEN unsigned int claw_model_of_device(cl_device_id device);
CLAW_HIDDEN unsigned int claw_model_of_call(const struct claw_call *call);

/* What the program sees as the device's name, for messages. */
CLAW_HIDDEN void claw_model_name(unsigned int device, char *name, size_t size);
/* The same of the device that the call is about, the first of several. */
CLAW_HIDDEN void claw_model_show_name(const struct claw_call *call, char *name,
				      size_t size);

#endif
