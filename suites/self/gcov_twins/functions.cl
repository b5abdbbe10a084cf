/* SPDX-License-Identifier: Apache-2.0 */
/* Functions: called by several, by one, by nobody. */
int functions_twice(int x);

int functions_once(int x)
{
	if (x > 10)
		return functions_twice(x);
	return x + 1;
}

int functions_twice(int x)
{
	return x * 2;
}

int functions_never(int x)
{
	x += 1;
	return x;
}

void functions_store(__global int *a, int i, int x)
{
	a[i] = x;
}

__kernel void functions(__global int *a, int n)
{
	int i = get_global_id(0);
	int x = functions_once(i);

	x += functions_twice(n);
	if (i < 4)
		x += functions_twice(functions_twice(i));
	functions_store(a, i, x);
}
