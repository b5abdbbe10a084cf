/* SPDX-License-Identifier: Apache-2.0 */
/* Headers of kernel files around the lines that a test is about. */
#ifndef CLAW_CLW_LINES_H
#define CLAW_CLW_LINES_H

#define CONFIG(lines_) \
	"/*!\n[config]\n" lines_ "\nkernel_name: k\n[test]\n!*/\n"
#define CONFIG_ONLY(lines_) "/*!\n[config]\n" lines_ "\n[test]\n!*/\n"
#define TEST(lines_) \
	"/*!\n[config]\nkernel_name: k\n[test]\n" lines_ "\n!*/\n"

#endif
