/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Old symbol versions: glibc 2.34 moved these functions from libpthread and
 * libdl into libc under a new version, which older systems do not have. The
 * old names still work everywhere.
 */
#ifndef CLAW_COMPAT_H
#define CLAW_COMPAT_H

#if defined(__GLIBC__) && defined(__x86_64__)
#define CLAW_OLD_SYMBOL(name_) __asm__(".symver " #name_ "," #name_ "@GLIBC_2.2.5")
#elif defined(__GLIBC__) && defined(__aarch64__)
#define CLAW_OLD_SYMBOL(name_) __asm__(".symver " #name_ "," #name_ "@GLIBC_2.17")
#else
#define CLAW_OLD_SYMBOL(name_) _Static_assert(1, "no old symbol needed")
#endif

CLAW_OLD_SYMBOL(dlsym);
CLAW_OLD_SYMBOL(pthread_key_create);
CLAW_OLD_SYMBOL(pthread_setspecific);

#endif
