/* SPDX-License-Identifier: Apache-2.0 */
/* Build options of a kernel file, with the folders that it includes from. */
#ifndef CLAW_BUILD_OPTIONS_H
#define CLAW_BUILD_OPTIONS_H

/*
 * What to give to clBuildProgram(): "-I FOLDER" for the folder that source is
 * in, then given, in which a relative "-I DIRECTORY" that is in file's folder
 * is that one; else it stays, and is the working directory's. A folder whose
 * name has blanks or quotes is "/proc/self/fd/N" in this process.
 *
 * file: the kernel file; source: the file with its program, often the same;
 * given: options, or NULL. malloced.
 */
char *claw_build_options(const char *file, const char *source,
			 const char *given);

#endif
