# SPDX-License-Identifier: Apache-2.0
"""libclw through ctypes: which file, which functions, and errors from it.

ctypes is in the standard library, so nothing is compiled and one package serves
every CPython from 3.9 on. clw.h is the contract of the functions.
"""
import ctypes
import os
import sys
from ctypes import (POINTER, c_char, c_char_p, c_double, c_int, c_int32,
                    c_int64, c_long, c_size_t, c_uint, c_uint64, c_void_p)

from .errors import error_of

LIBRARY = "libclw.so.0"
VARIABLE = "PYOPENCLAW_LIBRARY"


class DeviceInfo(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("name", c_char * 128),
                ("memory_bytes", c_uint64), ("max_buffer_bytes", c_uint64),
                ("local_bytes", c_uint64), ("max_group_size", c_uint64),
                ("is_gpu", c_int)]


class Memory(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("total_bytes", c_uint64),
                ("limit_bytes", c_uint64), ("used_bytes", c_uint64),
                ("peak_bytes", c_uint64), ("buffers", c_uint64)]


class Output(ctypes.Structure):
    _fields_ = [("index", c_uint), ("type", c_char * 16),
                ("count", c_size_t), ("size", c_size_t), ("data", c_void_p)]


class Result(ctypes.Structure):
    _fields_ = [("status", c_int), ("cl_code", c_int32), ("code", c_char_p),
                ("message", c_char_p), ("attempts", c_uint),
                ("peak_bytes", c_uint64), ("elapsed_ns", c_uint64),
                ("output_count", c_size_t), ("outputs", POINTER(Output))]


_sizes = POINTER(c_size_t)
_out = POINTER(c_void_p)

# Those that return a status; call() raises what they failed with.
_STATUS = {
    "clwDeviceCount": [POINTER(c_uint)],
    "clwDeviceInfo": [c_int, POINTER(DeviceInfo)],
    "clwCreateContext": [c_int, _out],
    "clwSetMemoryTimeout": [c_void_p, c_double],
    "clwSetBuildTimeout": [c_void_p, c_double],
    "clwSetKernelTimeout": [c_void_p, c_double],
    "clwContextMemory": [c_void_p, POINTER(Memory)],
    "clwContextState": [c_void_p],
    "clwCreateBuffer": [c_void_p, c_size_t, c_uint64, _out],
    "clwEnqueueWrite": [c_void_p, c_size_t, c_size_t, c_void_p, c_uint],
    "clwEnqueueRead": [c_void_p, c_size_t, c_size_t, c_void_p, c_uint],
    "clwLockBuffer": [c_void_p],
    "clwUnlockBuffer": [c_void_p],
    "clwFinish": [c_void_p],
    "clwCreateKernel": [c_void_p, c_char_p, _out],
    "clwCreateKernelFromSource": [c_void_p, c_char_p, c_char_p, c_char_p,
                                  _out],
    "clwSetArg": [c_void_p, c_uint, c_size_t, c_void_p],
    "clwSetArgBuffer": [c_void_p, c_uint, c_void_p],
    "clwSetArgLocal": [c_void_p, c_uint, c_size_t],
    "clwLaunch": [c_void_p, c_uint, _sizes, _sizes],
    "clwCreateWorkload": [c_char_p, _out],
    "clwConfigureWorkload": [c_void_p, c_char_p, c_int64],
    "clwSetWorkloadValue": [c_void_p, c_uint, c_size_t, c_void_p],
    "clwSetWorkloadBuffer": [c_void_p, c_uint, c_size_t, c_void_p, c_int],
    "clwSetWorkloadLocal": [c_void_p, c_uint, c_size_t],
    "clwSetWorkloadSize": [c_void_p, c_uint, _sizes, _sizes],
    "clwExecuteWorkload": [c_void_p, POINTER(POINTER(Result))],
    "clwProbeDevice": [c_int, c_uint],
    "clwResetDevice": [c_int],
    "clwWaitForRecovery": [c_int, c_uint],
}

_OTHERS = {
    "clwStatusCode": (c_char_p, [c_int]),
    "clwLastStatus": (c_int, []),
    "clwLastError": (c_char_p, []),
    "clwLastReport": (c_char_p, []),
    "clwLastClCode": (c_int32, []),
    "clwAt": (None, [c_char_p, c_int, c_char_p, c_char_p]),
    "clwReleaseContext": (None, [c_void_p]),
    "clwContextKeeps": (c_int, [c_void_p, c_void_p]),
    "clwReleaseBuffer": (None, [c_void_p]),
    "clwBufferSize": (c_size_t, [c_void_p]),
    "clwBufferAddress": (c_uint64, [c_void_p]),
    "clwReleaseKernel": (None, [c_void_p]),
    "clwKernelName": (c_char_p, [c_void_p]),
    "clwKernelArgCount": (c_int, [c_void_p]),
    "clwKernelArgName": (c_char_p, [c_void_p, c_uint]),
    "clwKernelArgType": (c_char_p, [c_void_p, c_uint]),
    "clwWorkloadDevice": (c_int, [c_void_p]),
    "clwReleaseWorkload": (None, [c_void_p]),
    "clwReleaseResult": (None, [POINTER(Result)]),
    "clwWorkerProcess": (c_long, [c_int]),
    "clwEndWorkers": (None, []),
}


def _candidates():
    """Beside the package's prefix, in the build tree, then the loader's."""
    given = os.environ.get(VARIABLE)
    if given:
        yield os.path.join(given, LIBRARY) if os.path.isdir(given) else given
        return
    # PREFIX/lib/python3/dist-packages/pyopenclaw, BUILD/python/pyopenclaw
    folder = os.path.dirname(os.path.abspath(__file__))
    for _ in range(4):
        folder = os.path.dirname(folder)
        path = os.path.join(folder, LIBRARY)
        if os.path.exists(path):
            yield path
    yield LIBRARY


def _load():
    reasons = []
    for path in _candidates():
        try:
            return ctypes.CDLL(path)
        except OSError as error:
            reasons.append(str(error))
    raise ImportError("pyopenclaw cannot load libclw: %s; install openclaw, "
                      "or set %s to the path of %s"
                      % ("; ".join(reasons), VARIABLE, LIBRARY))


lib = _load()
try:
    for _name, _arguments in _STATUS.items():
        getattr(lib, _name).restype = c_int
        getattr(lib, _name).argtypes = _arguments
    for _name, (_result, _arguments) in _OTHERS.items():
        getattr(lib, _name).restype = _result
        getattr(lib, _name).argtypes = _arguments
except AttributeError as _error:
    raise ImportError("pyopenclaw needs a newer libclw than %s: %s"
                      % (lib._name, _error)) from None

_package = os.path.dirname(os.path.abspath(__file__))


def _place(api):
    """The next call is made where the program called into this package."""
    frame = sys._getframe(2)
    while frame and os.path.dirname(frame.f_code.co_filename) == _package:
        frame = frame.f_back
    if frame:
        lib.clwAt(frame.f_code.co_filename.encode(errors="replace"),
                  frame.f_lineno,
                  frame.f_code.co_name.encode(errors="replace"),
                  api.encode())


def status(name, api, *arguments):
    """Call it for the public api; its status."""
    _place("pyopenclaw." + api)
    return getattr(lib, name)(*arguments)


def last_error():
    """What this thread's last call failed with, as an exception."""
    code = lib.clwStatusCode(lib.clwLastStatus()).decode()
    return error_of(code, lib.clwLastError().decode(errors="replace"),
                    lib.clwLastReport().decode(errors="replace"),
                    lib.clwLastClCode())


def call(name, api, *arguments):
    """Call it for the public api; raise what it failed with."""
    if status(name, api, *arguments):
        raise last_error()


def made(name, api, *arguments):
    """... of one that gives a handle, which is returned."""
    handle = c_void_p()
    call(name, api, *arguments, ctypes.byref(handle))
    return handle.value


def sizes(values):
    """A C array of size_t, or None."""
    return None if values is None else (c_size_t * len(values))(*values)
