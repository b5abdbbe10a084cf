# SPDX-License-Identifier: Apache-2.0
"""Work is given to an executor, whose futures keep what went wrong to
themselves until somebody asks for their result.

EXPECT: swallowed clEnqueueReadBuffer device-lost
"""
from concurrent.futures import ThreadPoolExecutor

import sweep_cl as sweep


def main():
    cl, queue, values = sweep.start()
    buffer = sweep.upload(queue, values)
    back = sweep.zeros()
    with ThreadPoolExecutor(max_workers=1) as executor:
        # PLANTED: nobody asks
        future = executor.submit(cl.enqueue_copy, queue, back, buffer)
    if not sweep.PLANTED:
        future.result()
    sweep.print_result(back)


sweep.run(main)
