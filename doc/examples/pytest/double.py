# SPDX-License-Identifier: Apache-2.0
"""A small pyopencl program: doubles 0 ... N-1 and prints the sum.

Runs out of memory with a message and exit status 1. With --broken it takes
whatever happens for success.
"""
import sys

import numpy
import pyopencl as cl

SOURCE = """
kernel void twice(global float *x)
{
    x[get_global_id(0)] *= 2;
}
"""


def double(values):
    context = cl.Context(cl.get_platforms()[0].get_devices()[:1])
    queue = cl.CommandQueue(context)
    kernel = cl.Program(context, SOURCE).build().twice
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    buffer = cl.Buffer(context, flags, hostbuf=values)
    kernel(queue, values.shape, None, buffer)
    cl.enqueue_copy(queue, values, buffer)
    queue.finish()


def main(words):
    broken = "--broken" in words
    values = numpy.arange(1000, dtype=numpy.float32)
    try:
        double(values)
    except cl.Error as error:
        if not broken:
            print("double: %s" % error, file=sys.stderr)
            return 1
    print("%.0f" % values.sum())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
