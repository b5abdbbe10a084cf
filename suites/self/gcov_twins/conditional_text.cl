/* SPDX-License-Identifier: Apache-2.0 */
/* Text that the preprocessor leaves out has no lines. */
__kernel void conditional_text(__global int *a, int n)
{
	int i = get_global_id(0);

#if 0
	a[i] = 99;
#else
	a[i] += 1;
#endif
#ifdef CONDITIONAL_TEXT_NEVER
	a[i] = 98;
#endif
	if (i > 31)
		a[i] += n;
}
