# SPDX-License-Identifier: Apache-2.0
"""Without memory some is given back and asked for again; there may come a
time when there is nothing to give back.

EXPECT: hang clCreateBuffer oom from-here
"""
import gc
import time

import sweep_cl as sweep

TRIES = 3


def wait_for_buffer(cl, context, size):
    tries = 0
    while True:
        try:
            return cl.Buffer(context, cl.mem_flags.READ_WRITE, size)
        except cl.MemoryError:
            tries += 1
            # PLANTED: for ever
            if tries > TRIES and not sweep.PLANTED:
                raise
            gc.collect()
            time.sleep(0.001)


def main():
    cl, queue, values = sweep.start()
    buffer = wait_for_buffer(cl, queue.context, values.nbytes)
    cl.enqueue_copy(queue, buffer, values)
    back = sweep.zeros()
    cl.enqueue_copy(queue, back, buffer)
    sweep.print_result(back)


sweep.run(main)
