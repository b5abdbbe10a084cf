/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: count
global_size: 1

[test]
arg_in:  0 uint 100000
arg_in:  1 buffer uint[1] 0
arg_out: 1 buffer uint[1] 100000
!*/
/*
 * A loop of 100,000 rounds.
 * SPECIFICATION: OpenCL C, "based on the C99 specification": 6.8.5 of that
 * has no limit on the rounds of a loop.
 * DEVIATES: rusticl 22.3.6: ends after 65,535 rounds, without any error
 */
kernel void count(uint rounds, global volatile uint *result)
{
	for (uint i = 0; i < rounds; i++)
		atomic_inc(result);
}
