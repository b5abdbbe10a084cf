# SPDX-License-Identifier: Apache-2.0
"""Devices, and this process's context on each of them."""
import ctypes
import os
import threading
import weakref

from . import _libclw as c
from . import values
from .errors import invalid

def owned(owner, release, handle):
    """Release the handle with its owner, or at the interpreter's end; not in a
    forked child, which has none of the device's objects."""
    def end(pid=os.getpid()):
        if os.getpid() == pid:
            release(handle)
    return weakref.finalize(owner, end)


class Context:
    """A device of this process; Buffer and Kernel use one for each device."""

    def __init__(self, number):
        self.handle = c.made("clwCreateContext", "Context", number)
        self.pid = os.getpid()
        owned(self, c.lib.clwReleaseContext, self.handle)

    def is_usable(self):
        return self.pid == os.getpid() and not c.status(
            "clwContextState", "Context", self.handle)


_contexts = {}
_lock = threading.Lock()


def device_number(affinity):
    """The number for libclw; of None CLW_DEVICE_ID, else 0: libclw keeps a
    worker for each number, and the default device is one of these."""
    if affinity is None:
        text = os.environ.get("CLW_DEVICE_ID") or "0"
        if not text.isdecimal():
            raise invalid("CLW_DEVICE_ID: expected the number of a device, "
                          "found %.80r" % text, "clw-invalid-configuration")
        affinity = int(text)
    number = values.index(affinity, "device")
    if number > 2 ** 31 - 1:
        raise invalid("device: there is no device %d" % number,
                      "clw-no-device")
    return number


def context(affinity=None):
    """The device's context; a new one where the former has lost its device."""
    number = device_number(affinity)
    with _lock:
        known = _contexts.get(number)
        if known is None or not known.is_usable():
            known = _contexts[number] = Context(number)
        return known


def keeps(handle):
    """Whether a context keeps this OpenCL object for whoever comes next."""
    with _lock:
        return any(c.lib.clwContextKeeps(one.handle, handle)
                   for one in _contexts.values() if one.pid == os.getpid())


def forget(number):
    """What Buffer and Kernel make from now on is of a new context."""
    with _lock:
        _contexts.pop(number, None)


class Device:
    """A device by its number, as "openclaw info --list" counts them.

    Its methods make no OpenCL call in this process but for the properties: a
    worker process does.
    """

    def __init__(self, device_id):
        self.id = device_number(device_id)

    def __repr__(self):
        return "<pyopenclaw.Device %d>" % self.id

    def _info(self):
        info = c.DeviceInfo(struct_size=ctypes.sizeof(c.DeviceInfo))
        c.call("clwDeviceInfo", "Device", self.id, ctypes.byref(info))
        return info

    @property
    def name(self):
        return self._info().name.decode(errors="replace")

    @property
    def memory_bytes(self):
        """CL_DEVICE_GLOBAL_MEM_SIZE"""
        return self._info().memory_bytes

    @property
    def max_buffer_bytes(self):
        """CL_DEVICE_MAX_MEM_ALLOC_SIZE"""
        return self._info().max_buffer_bytes

    @property
    def is_gpu(self):
        return bool(self._info().is_gpu)

    @property
    def worker_pid(self):
        """The process that runs its workloads, or None."""
        return c.lib.clwWorkerProcess(self.id) or None

    def probe(self, timeout_ms=30000):
        """Launch a kernel in the worker; raise what that fails with."""
        c.call("clwProbeDevice", "Device.probe", self.id, _ms(timeout_ms))

    def reset(self):
        """End the worker, start a new one, and probe.

        A process that has lost its device does not get it back, on an H200,
        and a new one has it. Buffers and kernels that this process makes from
        now on are of a new context. The device itself is not reset: that takes
        an administrator (nvidia-smi --gpu-reset).
        """
        forget(self.id)
        c.call("clwResetDevice", "Device.reset", self.id)

    def wait_for_recovery(self, timeout_ms=5000):
        """Probe in new workers until that works; after the time raise what the
        last probe that ended in time has failed with."""
        c.call("clwWaitForRecovery", "Device.wait_for_recovery", self.id,
               _ms(timeout_ms))


def _ms(value):
    number = values.index(value, "timeout_ms")
    if not 1 <= number <= 2 ** 32 - 1:
        raise invalid("timeout_ms: expected 1 to 4294967295, found %d"
                      % number)
    return number


def device_count():
    """How many OpenCL devices there are, on all platforms."""
    count = ctypes.c_uint()
    c.call("clwDeviceCount", "device_count", ctypes.byref(count))
    return count.value


def get_device(device_id=None):
    """The device of that number; without one that of CLW_DEVICE_ID, else 0.
    Nothing is asked of it yet."""
    return Device(device_id)


def set_memory_timeout(seconds, device_id=None):
    """The longest time of an allocation with all its tries, in this process;
    takes precedence over CLW_MEM_TIMEOUT_MS. 0: no limit, two tries."""
    c.call("clwSetMemoryTimeout", "set_memory_timeout",
           context(device_id).handle, _seconds(seconds))


def set_kernel_timeout(seconds, device_id=None):
    """The longest time of waiting for commands; after it KernelTimeoutError is
    raised, and the commands run on. 0: no limit [default]."""
    c.call("clwSetKernelTimeout", "set_kernel_timeout",
           context(device_id).handle, _seconds(seconds))


def _seconds(value):
    try:
        return float(value)
    except (TypeError, ValueError):
        raise invalid("seconds: expected a number, found %.80r" % (value,)) \
            from None


def memory(device_id=None):
    """Bytes of this process's buffers: a dict of total_bytes (the device's),
    limit_bytes (what openclaw.yaml leaves; None: all), used_bytes, peak_bytes,
    buffers (how many)."""
    found = c.Memory(struct_size=ctypes.sizeof(c.Memory))
    c.call("clwContextMemory", "memory", context(device_id).handle,
           ctypes.byref(found))
    values_of = {name: getattr(found, name)
                 for name, _ in c.Memory._fields_[1:]}
    if values_of["limit_bytes"] == 2 ** 64 - 1:
        values_of["limit_bytes"] = None
    return values_of
