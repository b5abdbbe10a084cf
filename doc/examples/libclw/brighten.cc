// SPDX-License-Identifier: Apache-2.0
// A picture that may be larger than what the device has in one piece, with
// libclw: brighten [MIB]. Beside it has to be brighten.clw.
//
//	g++ -std=c++14 brighten.cc $(pkg-config --cflags --libs openclaw-clw) -o brighten
//	openclaw sweep -- ./brighten 1
#include <openclaw/clw.hpp>

#include <cstdlib>
#include <iostream>
#include <vector>

static void brighten(clw::context &ctx, std::vector<float> &picture)
{
	const std::size_t bytes = picture.size() * sizeof(float);
	clw::chunks in(ctx, bytes, 0, CL_MEM_READ_ONLY);

	for (std::size_t i = 0; i < in.size(); i++) {
		// The output is as large as one piece, and used again.
		clw::buffer out(ctx, in[i].size(), CL_MEM_WRITE_ONLY);
		clw::buffer piece = in[i];
		float *pixels = picture.data() + in.offset(i) / sizeof(float);

		ctx.enqueue_write(piece, pixels);
		ctx.enqueue_kernel("brighten", piece, out, 2.0f);
		ctx.enqueue_read(out, pixels);
	}
	ctx.finish();
}

int main(int argc, char **argv)
{
	const long mib = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 64;

	try {
		clw::context ctx;
		std::vector<float> picture((std::size_t)mib << 18, 0.25f);

		brighten(ctx, picture);
		for (float pixel : picture)
			if (pixel != 0.5f)
				return 2;
		std::cout << "brightened " << mib << " MiB\n";
	} catch (const clw::error &e) {
		std::cerr << e.what() << '\n';
		return 1;
	}
}
