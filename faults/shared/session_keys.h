/* SPDX-License-Identifier: Apache-2.0 */
/* What session.def lists. */
#ifndef CLAW_SESSION_KEYS_H
#define CLAW_SESSION_KEYS_H

#include <stdint.h>

struct claw_session_keys {
#define NUMBER(key_) uint64_t key_;
#define TEXT(key_) const char *key_;	/* NULL: "" */
#define WORD(key_, words_) unsigned int key_;
#include "session.def"
#undef WORD
#undef TEXT
#undef NUMBER
};

enum { CLAW_COVERAGE_OFF, CLAW_COVERAGE_HIT, CLAW_COVERAGE_COUNT };

#endif
