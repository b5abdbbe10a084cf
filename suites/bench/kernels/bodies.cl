/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything attracts everything.
 * bench: bodies global=2048 local=64 z:8192 f:8192 =2048 =0.01
 */
__kernel void bodies(__global float4 *to, __global const float4 *from, int n,
		     float step)
{
	int i = get_global_id(0);
	float4 me = from[i], pull = (float4)(0.0f);

	for (int k = 0; k < n; k++) {
		float4 way = from[k] - me;
		float square = way.x * way.x + way.y * way.y + way.z * way.z +
			       0.01f;
		float inverse = rsqrt(square);

		pull += way * (inverse * inverse * inverse * from[k].w);
	}
	pull.w = 0.0f;
	to[i] = me + pull * step;
}
