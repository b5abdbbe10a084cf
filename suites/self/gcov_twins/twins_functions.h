/* SPDX-License-Identifier: Apache-2.0 */
/* A function of a header, for headers.cl. */
static inline int twins_limit(int x, int most)
{
	if (x > most)
		x = most;
	return x;
}
