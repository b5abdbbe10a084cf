# SPDX-License-Identifier: Apache-2.0
"""Without the device the host does the work, in numbers of another kind.

EXPECT: swallowed clEnqueueCopyBuffer device-lost
"""
import sweep_cl as sweep


def main():
    cl, queue, values = sweep.start()
    buffer = sweep.upload(queue, values)
    other = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, values.nbytes)
    back = sweep.zeros()
    try:
        cl.enqueue_copy(queue, other, buffer)
    except cl.RuntimeError:
        # PLANTED: a byte is not enough for all of them
        kind = "int8" if sweep.PLANTED else back.dtype
        back[:] = values.astype(kind)
    else:
        cl.enqueue_copy(queue, back, other)
    sweep.print_result(back)


sweep.run(main)
