# SPDX-License-Identifier: Apache-2.0
"""Parts are read one by one; a part that cannot be read is left out.

EXPECT: swallowed clEnqueueReadBuffer device-lost
"""
import sweep_cl as sweep

PARTS = 4


def main():
    cl, queue, values = sweep.start()
    buffer = sweep.upload(queue, values)
    back = sweep.zeros()
    step = len(back) // PARTS
    for first in range(0, len(back), step):
        try:
            cl.enqueue_copy(queue, back[first:first + step], buffer,
                            src_offset=first * back.itemsize)
        except cl.RuntimeError as error:
            # PLANTED: on to the next one, no error message
            if sweep.PLANTED:
                continue
            raise SystemExit(f"part {first // step}: {error}")
    sweep.print_result(back)


sweep.run(main)
