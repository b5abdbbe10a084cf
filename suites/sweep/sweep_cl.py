# SPDX-License-Identifier: Apache-2.0
"""What the Python programs of this folder share; sweep.h says what they are.

A planted one is run with the argument "planted". Status 77: no pyopencl, or
no device.
"""
import sys

PLANTED = "planted" in sys.argv[1:]
ITEMS = 256
FRAMES = 120


def start():
    """pyopencl, a queue and the values 1 to ITEMS."""
    import pyopencl as cl

    device = [device for platform in cl.get_platforms()
              for device in platform.get_devices()][0]
    queue = cl.CommandQueue(cl.Context([device]))
    fill_frames(cl, queue)
    return cl, queue, count_up()


def fill_frames(cl, queue):
    """What such programs do all day: many calls from the same few lines."""
    frame = zeros()
    buffer = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, frame.nbytes)
    for i in range(FRAMES):
        cl.enqueue_fill_buffer(queue, buffer, frame[:1] + i, 0, frame.nbytes)
    queue.finish()


def zeros():
    import numpy

    return numpy.zeros(ITEMS, dtype=numpy.int32)


def count_up():
    import numpy

    return numpy.arange(1, ITEMS + 1, dtype=numpy.int32)


def upload(queue, values):
    import pyopencl as cl

    buffer = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, values.nbytes)
    cl.enqueue_copy(queue, buffer, values)
    return buffer


def print_result(values):
    print("result", int(values.sum()))


def run(main):
    """Every error that nobody caught is an error exit of one line."""
    try:
        import numpy  # noqa: F401
        import pyopencl  # noqa: F401
    except ImportError as error:
        print("needs", error.name)
        sys.exit(77)
    try:
        main()
    except Exception as error:
        sys.exit(f"{type(error).__name__}: {error}")
