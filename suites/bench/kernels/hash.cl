/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounds over words in private memory, as programs that look for passwords do.
 * bench: hash global=65536 local=64 z:65536 i:16 =40
 */
uint hash_round(uint state, uint word, int way)
{
	switch (way & 3) {
	case 0:
		return rotate(state ^ word, 7u) * 0x9e3779b1u;
	case 1:
		return rotate(state + word, 12u) ^ 0x85ebca77u;
	case 2:
		return (state & word) + rotate(state, 17u);
	default:
		return (state | ~word) ^ rotate(state, 22u);
	}
}

__kernel void hash(__global uint *found, __constant uint *salt, int rounds)
{
	uint i = get_global_id(0), words[16], state = i;

	for (int k = 0; k < 16; k++)
		words[k] = salt[k] + i * (k + 1);
	for (int round = 0; round < rounds; round++) {
		for (int k = 0; k < 16; k++) {
			state = hash_round(state, words[k], round + k);
			words[(k + round) & 15] ^= state;
		}
	}
	if ((state & 0xffu) == 0)
		found[i] = state;
}
