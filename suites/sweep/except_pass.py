# SPDX-License-Identifier: Apache-2.0
"""A read that fails is passed over, and the array has what it had before.

EXPECT: swallowed clEnqueueReadBuffer device-lost
"""
import sweep_cl as sweep


def main():
    cl, queue, values = sweep.start()
    buffer = sweep.upload(queue, values)
    back = sweep.zeros()
    try:
        cl.enqueue_copy(queue, back, buffer)
    except cl.RuntimeError:
        # PLANTED: and nobody learns of it
        if not sweep.PLANTED:
            raise
    sweep.print_result(back)


sweep.run(main)
