# SPDX-License-Identifier: Apache-2.0
"""A worker puts what it read into a queue. What it could not read it does not
put there, and the main thread waits for it.

EXPECT: hang clEnqueueReadBuffer device-lost
"""
import queue as queues
import threading

import sweep_cl as sweep


def main():
    cl, queue, values = sweep.start()
    buffer = sweep.upload(queue, values)
    results = queues.Queue()

    def work():
        back = sweep.zeros()
        try:
            cl.enqueue_copy(queue, back, buffer)
        except cl.Error as error:
            # PLANTED: nothing is put
            if not sweep.PLANTED:
                results.put(error)
            return
        results.put(back)

    threading.Thread(target=work, daemon=True).start()
    result = results.get()
    if isinstance(result, Exception):
        raise result
    sweep.print_result(result)


sweep.run(main)
