# SPDX-License-Identifier: Apache-2.0
"""OpenCL for programs that survive a device that fails: libclw for Python.

    import pyopenclaw

    kernel = pyopenclaw.Kernel("compute")
    source = pyopenclaw.Buffer(data=numpy.arange(64, dtype="float32"))
    result = pyopenclaw.Buffer(size=source.size())
    kernel.set_arg(0, source)
    kernel.set_arg(1, result)
    kernel.launch(64, 8)
    print(result.array("float"))

    workload = pyopenclaw.Workload("matrix_multiply_v2")    # another process
    workload.config({"enable_crash_recovery": True})
    print(workload.execute().output.shape)

Every error is an OpenClawError with a code; the failed call has changed
nothing, and the next one works. All functions may be called from any thread.
A child that was forked has nothing of its parent's objects, and makes its own.

pytest_openclaw, beside it, arms faults in the tests of any OpenCL program.
The settings are those of openclaw-environment(7): CLW_DEVICE_ID,
CLW_MEM_TIMEOUT_MS, CLW_LOG_LEVEL and others; PYOPENCLAW_LIBRARY is the path of
libclw.so.0 where it is not found.
"""
from . import clbuild
from .buffers import (MEM_ALLOC_HOST, MEM_EXCLUSIVE, MEM_HOST_NO_ACCESS,
                      MEM_HOST_READ_ONLY, MEM_HOST_WRITE_ONLY, MEM_READ_ONLY,
                      MEM_READ_WRITE, MEM_WRITE_ONLY, Buffer, Lock)
from .devices import (Device, device_count, get_device, memory,
                      set_kernel_timeout, set_memory_timeout)
from .errors import (DeviceLostError, GPUCrashError, InvalidArgumentError,
                     KernelError, KernelTimeoutError, OpenClawError,
                     OutOfMemoryError, RecoverableError)
from .kernels import Kernel
from .workloads import Workload, WorkloadResult

GPU_0, GPU_1, GPU_2, GPU_3, GPU_4, GPU_5, GPU_6, GPU_7 = range(8)

__all__ = [
    "Buffer", "Device", "DeviceLostError", "GPUCrashError", "GPU_0", "GPU_1",
    "GPU_2", "GPU_3", "GPU_4", "GPU_5", "GPU_6", "GPU_7",
    "InvalidArgumentError", "Kernel", "KernelError", "KernelTimeoutError",
    "Lock", "MEM_ALLOC_HOST", "MEM_EXCLUSIVE", "MEM_HOST_NO_ACCESS",
    "MEM_HOST_READ_ONLY", "MEM_HOST_WRITE_ONLY", "MEM_READ_ONLY",
    "MEM_READ_WRITE", "MEM_WRITE_ONLY", "OpenClawError", "OutOfMemoryError",
    "RecoverableError", "Workload", "WorkloadResult", "clbuild",
    "device_count", "get_device", "memory", "set_kernel_timeout",
    "set_memory_timeout",
]
