/* SPDX-License-Identifier: Apache-2.0 */
/* Macros of several statements, for macros.cl and headers.cl. */
#define TWICE(x_) do { x_; x_; } while (0)
#define STEP(x_, n_) \
	(x_) += (n_); \
	(x_) ^= 3; \
	(x_) -= 1
#define CLAMP(x_, most_) if ((x_) > (most_)) (x_) = (most_)
