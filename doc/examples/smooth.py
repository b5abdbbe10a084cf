# SPDX-License-Identifier: Apache-2.0
# smooth.cl on 64 values; needs pyopencl (Debian package python3-pyopencl).
import os
import numpy as np
import pyopencl as cl

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
values = np.arange(64, dtype=np.float32)
given = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=values)
made = cl.Buffer(context, 0, size=values.nbytes)
folder = os.path.dirname(os.path.abspath(__file__))
source = open(os.path.join(folder, "smooth.cl")).read()
cl.Program(context, source).build().smooth(queue, (64,), (32,), given, made)
cl.enqueue_copy(queue, values, made)
print(values[:4])
