# SPDX-License-Identifier: Apache-2.0
"""A function that returns from its "finally" drops the exception on its way.

EXPECT: swallowed clEnqueueReadBuffer device-lost
"""
import sweep_cl as sweep


def read(cl, queue, buffer):
    back = sweep.zeros()
    try:
        cl.enqueue_copy(queue, back, buffer)
    finally:
        # PLANTED: the exception ends here
        if sweep.PLANTED:
            return back
    return back


def main():
    cl, queue, values = sweep.start()
    buffer = sweep.upload(queue, values)
    sweep.print_result(read(cl, queue, buffer))


sweep.run(main)
