/* SPDX-License-Identifier: Apache-2.0 */
/* Labels before loops, in blocks, several of one statement. */
__kernel void labels(__global int *a, int n)
{
	int i = get_global_id(0);
	int tries = 0;

retry:
	for (int k = 0; k < 3; k++) {
		a[i] += k;
		if (a[i] % 5 == 0 && tries < 2)
			goto next;
	}
	goto out;
next:
	tries++;
	goto retry;
out:
done:
	a[i] += tries + n;
}
