# SPDX-License-Identifier: Apache-2.0
"""Workloads: kernels in a process of their own, which may crash."""
import ctypes
import os

from . import _libclw as c
from . import values
from .clbuild import LocalMemory
from .devices import device_number, owned
from .errors import OpenClawError, invalid


class WorkloadResult:
    """What a run came to.

    success:        it has run to its end.
    error_code:     "clw-gpu-crash" and the like; None of a success.
    message:        what failed, in one line; "" of a success.
    output:         the first result, a numpy array (a memoryview where there
                    is no numpy), so that it has .shape; without results of
                    shape (0,).
    outputs:        all of them, by the argument's index.
    peak_memory_mb: most memory of the device that its buffers had, in MiB.
    attempts:       runs; more than 1 after a recovery.
    elapsed_s:      of the last run, without the worker's start.
    """

    def __init__(self, result, formats):
        self.success = result.status == 0
        self.error_code = None if self.success else result.code.decode()
        self.message = result.message.decode(errors="replace")
        self.cl_code = result.cl_code
        self.attempts = result.attempts
        self.peak_memory_mb = result.peak_bytes / 2 ** 20
        self.elapsed_s = result.elapsed_ns / 1e9
        self.outputs = {}
        for one in result.outputs[:result.output_count]:
            data = ctypes.string_at(one.data, one.size) if one.size else b""
            self.outputs[one.index] = values.array_as(
                data, *formats[one.index]) if one.index in formats else \
                values.array(data, one.type.decode(), one.count)
        self.output = next(iter(self.outputs.values()),
                           values.array(b"", "", 0))

    def __repr__(self):
        return "<pyopenclaw.WorkloadResult %s>" % (self.error_code or "ok")


class Workload:
    """A kernel that runs in a worker process, which a crash of the device or
    the driver ends; this program goes on.

    name: as of Kernel. Of a .clw file the first [test], or "NAME#TEST", says
    the sizes and arguments; set_arg() and set_size() take precedence. The file
    is looked for when it is executed.
    """

    def __init__(self, name):
        name = os.fspath(name) if isinstance(name, os.PathLike) else name
        if not isinstance(name, str) or not name or "\0" in name:
            raise invalid("Workload: expected a name, found %.80r" % (name,))
        self.name = name
        self._recovers = False
        self._formats = {}
        self._handle = c.made("clwCreateWorkload", "Workload",
                              os.fsencode(name))
        owned(self, c.lib.clwReleaseWorkload, self._handle)
        self._configure(self._handle, [("device", device_number(None))])

    def __repr__(self):
        return "<pyopenclaw.Workload %s>" % self.name

    @property
    def device_id(self):
        """The number of its device, for get_device()."""
        return c.lib.clwWorkloadDevice(self._handle)

    def config(self, settings):
        """Set keys of a dict; those of openclaw.yaml's "workload" are the
        defaults. All of them or, when one is wrong, none.

        enable_crash_recovery  run it again in a new worker after a crash, a
                               timeout, a lost device or worker; execute()
                               returns what it came to, also after the last
                               attempt, and does not raise [False]
        max_retry_attempts     so often at most, 0 to 1000 [3]
        gpu_timeout_ms         time limit of one run, including the build; 0:
                               no limit [0]
        device                 its number [CLW_DEVICE_ID when it was made, else
                               0]
        seed                   of what the file calls "random" [0]

        Any other key raises InvalidArgumentError.
        """
        try:
            items = [(key, int(value) if isinstance(value, bool) else
                      _setting(key, value)) for key, value in
                     dict(settings).items()]
        except (TypeError, ValueError) as error:
            if isinstance(error, OpenClawError):
                raise
            raise invalid("config: expected a dict, found %.80r"
                          % (settings,)) from None
        trial = c.made("clwCreateWorkload", "Workload.config", b"trial")
        try:
            self._configure(trial, items)
        finally:
            c.lib.clwReleaseWorkload(trial)
        self._configure(self._handle, items)
        self._recovers = dict(items).get("enable_crash_recovery",
                                         self._recovers)

    @staticmethod
    def _configure(handle, items):
        for key, value in items:
            c.call("clwConfigureWorkload", "Workload.config", handle,
                   key.encode(errors="replace"), value)

    def set_arg(self, index, value, output=False):
        """Argument index: an array, whose content is copied (output: it is a
        result, too, of the array's type and shape); a number, which is an int
        or a float of OpenCL C; a numpy scalar; clbuild.localMemorySize()."""
        index = values.index(index, "index")
        if isinstance(value, LocalMemory):
            c.call("clwSetWorkloadLocal", "Workload.set_arg", self._handle,
                   index, value)
        elif isinstance(value, (bool, int, float)) or (
                values.numpy and isinstance(value, values.numpy.generic)):
            content = values.scalar(value, "", "argument %d" % index)
            c.call("clwSetWorkloadValue", "Workload.set_arg", self._handle,
                   index, len(content), content)
        else:
            content = values.view(value, "argument %d" % index)
            whole = memoryview(value)
            where, kept = values.address(content)
            c.call("clwSetWorkloadBuffer", "Workload.set_arg", self._handle,
                   index, content.nbytes, where, int(bool(output)))
            self._formats[index] = whole.format, whole.shape
            del kept

    def set_size(self, global_size, local_size=None):
        """The sizes of its launch, as of Kernel.launch()."""
        wide = values.work_size(global_size, "global_size")
        local = None if local_size is None else \
            values.work_size(local_size, "local_size")
        if local and len(local) != len(wide):
            raise invalid("workload %s: a global size of %d dimensions, a "
                          "local size of %d" % (self.name, len(wide),
                                                len(local)),
                          "clw-invalid-work-size")
        c.call("clwSetWorkloadSize", "Workload.set_size", self._handle,
               len(wide), c.sizes(wide), c.sizes(local))

    def execute(self):
        """Run it, and wait; a WorkloadResult.

        Without crash recovery what it fails with is raised: GPUCrashError
        after a crash. With it (config) the result says so: success is False.
        """
        result = ctypes.POINTER(c.Result)()
        status = c.status("clwExecuteWorkload", "Workload.execute",
                          self._handle, ctypes.byref(result))
        error = c.last_error() if status else None
        if not result:
            raise error
        try:
            found = WorkloadResult(result.contents, self._formats)
        finally:
            c.lib.clwReleaseResult(result)
        if error and not self._recovers:
            raise error
        return found


def _setting(key, value):
    if not isinstance(key, str):
        raise invalid("config: expected the name of a key, found %.80r"
                      % (key,))
    try:
        number = value.__index__()
    except AttributeError:
        raise invalid("%.80s: expected an integer, found %.80r"
                      % (key, value)) from None
    if not -2 ** 63 <= number < 2 ** 63:
        raise invalid("%.80s: %d is too large" % (key, number))
    return number
