# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, as exceptions."""


class OpenClawError(RuntimeError):
    """An operation failed.

    code:     "clw-out-of-memory" and the like, see "openclaw explain CODE".
    cl_code:  what OpenCL returned; 0: the error is not OpenCL's.
    report:   str(error), the OpenCL function that failed, and the place in
              the program, on several lines.

    str(error) is one line, "CODE: WHAT", which names the device, kernel or
    argument.
    """

    default_code = "clw-unknown"

    def __init__(self, message="", code=None, cl_code=0, report=None):
        super().__init__(message)
        self.code = code or self.default_code
        self.cl_code = cl_code
        self.report = report or message

    def __reduce__(self):
        return type(self), (str(self), self.code, self.cl_code, self.report)


class OutOfMemoryError(OpenClawError, MemoryError):
    """clw-out-of-memory, clw-memory-timeout or clw-out-of-host-memory."""

    default_code = "clw-out-of-memory"


class InvalidArgumentError(OpenClawError, ValueError):
    """The call is wrong: an argument, a size, a handle, the configuration."""

    default_code = "clw-invalid-argument"


class KernelError(OpenClawError):
    """The kernel was not found, or does not build."""

    default_code = "clw-kernel-build-failure"


class KernelTimeoutError(OpenClawError, TimeoutError):
    """clw-kernel-timeout: commands still run after the time given."""

    default_code = "clw-kernel-timeout"


class GPUCrashError(OpenClawError):
    """The device, the driver or the worker process failed; a new worker may
    work: get_device(id).reset()."""

    default_code = "clw-gpu-crash"


class DeviceLostError(GPUCrashError):
    """clw-device-lost: every call of this process says so from now on."""

    default_code = "clw-device-lost"


class RecoverableError(OpenClawError):
    """For programs to raise: the operation failed, and a retry may work."""

    default_code = "clw-recoverable"


_CLASSES = {
    "clw-out-of-memory": OutOfMemoryError,
    "clw-memory-timeout": OutOfMemoryError,
    "clw-out-of-host-memory": OutOfMemoryError,
    "clw-buffer-overflow": InvalidArgumentError,
    "clw-invalid-argument": InvalidArgumentError,
    "clw-invalid-size": InvalidArgumentError,
    "clw-invalid-handle": InvalidArgumentError,
    "clw-invalid-work-size": InvalidArgumentError,
    "clw-argument-not-set": InvalidArgumentError,
    "clw-invalid-configuration": InvalidArgumentError,
    "clw-kernel-not-found": KernelError,
    "clw-kernel-build-failure": KernelError,
    "clw-kernel-compile-timeout": KernelError,
    "clw-kernel-timeout": KernelTimeoutError,
    "clw-gpu-crash": GPUCrashError,
    "clw-driver-crash": GPUCrashError,
    "clw-worker-lost": GPUCrashError,
    "clw-device-lost": DeviceLostError,
}


def error_of(code, message, report=None, cl_code=0):
    """The exception of that code."""
    return _CLASSES.get(code, OpenClawError)(message, code, cl_code, report)


def invalid(what, code="clw-invalid-argument"):
    """One of this package's own, in libclw's form."""
    return error_of(code, "%s: %s" % (code, what))
