/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two contexts that live at the same time, made by the same line, both kept
 * for a while and both released; and a context that is retained and released
 * by each of its users.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl[2] = { open_device(), open_device() };

	for (int i = 0; i < ROUNDS; i++) {
		must(clRetainContext(cl[i % 2].context));
		must(clRetainCommandQueue(cl[i % 2].queue));
	}
	for (int i = 0; i < ROUNDS; i++) {
		must(clReleaseContext(cl[i % 2].context));
		must(clReleaseCommandQueue(cl[i % 2].queue));
	}
	for (int i = 0; i < 2; i++)
		close_device(&cl[i]);
	return 0;
}
