# SPDX-License-Identifier: Apache-2.0
"""Kernels: by name, their arguments, launches."""
import copy
import os
import threading

from . import _libclw as c
from . import values
from .buffers import Buffer, using
from .clbuild import LocalMemory
from .devices import context, owned
from .errors import OpenClawError, invalid


class Kernel:
    """A kernel of OpenCL C.

    name:     NAME, NAME.clw or NAME.cl in the working directory, in the
              directories of CLW_KERNEL_PATH, among openclaw's own kernels; or
              a path. "FILE:FUNCTION" names one of several.
    source:   OpenCL C; name is the function's then.
    options:  for the compiler, with source.
    affinity: as of Buffer.

    A kernel that is not there or does not build makes an object all the same:
    is_valid() is False, error says why, and every other use raises that.
    """

    def __init__(self, name, source=None, options=None, affinity=None):
        name = os.fspath(name) if isinstance(name, os.PathLike) else name
        if not isinstance(name, str) or not name or "\0" in name:
            raise invalid("Kernel: expected a name, found %.80r" % (name,))
        self.name = name
        self.error = None
        self._handle = self._end = None
        self._arguments = {}
        self._lock = threading.RLock()
        try:
            self._context = context(affinity)
            self._handle = self._made(source, options)
        except OpenClawError as error:
            self.error = error.with_traceback(None)
            return
        self._end = owned(self, c.lib.clwReleaseKernel, self._handle)

    def _made(self, source, options):
        if source is None:
            if options is not None:
                raise invalid("Kernel: options are for source=")
            return c.made("clwCreateKernel", "Kernel", self._context.handle,
                          os.fsencode(self.name))
        return c.made("clwCreateKernelFromSource", "Kernel",
                      self._context.handle, source.encode(),
                      options.encode() if options else None,
                      self.name.encode())

    def __repr__(self):
        return "<pyopenclaw.Kernel %s%s>" % (
            self.name, "" if self.is_valid() else ", not valid")

    def _get(self):
        if self.error:
            raise copy.copy(self.error)
        if not self._handle:
            raise invalid("kernel %s was released" % self.name,
                          "clw-invalid-handle")
        return self._handle

    def is_valid(self):
        """It was found and built, and its device is not lost."""
        return bool(self._handle) and self._context.is_usable()

    def _describe(self, index):
        name = c.lib.clwKernelArgName(self._get(), index).decode()
        return "argument %d%s of kernel %s" % (
            index, " ('%s')" % name if name else "",
            c.lib.clwKernelName(self._handle).decode())

    def set_arg(self, index, value):
        """Set argument index, from 0: a Buffer; a number, which becomes what
        the kernel declares (an int for a float argument is a float); a list of
        numbers for a vector; a numpy scalar; the bytes of a struct;
        clbuild.localMemorySize(). It stays set."""
        index = values.index(index, "index")
        handle = self._get()
        count = c.lib.clwKernelArgCount(handle)
        if index >= count:
            raise invalid("argument %d: kernel %s has %d" % (
                index, c.lib.clwKernelName(handle).decode(), count))
        if isinstance(value, LocalMemory):
            return self.set_local_arg(index, value)
        with self._lock:
            if isinstance(value, Buffer):
                c.call("clwSetArgBuffer", "Kernel.set_arg", handle, index,
                       value._get())
                self._arguments[index] = value
                return None
            what = self._describe(index)
            type_name = c.lib.clwKernelArgType(handle, index).decode()
            if type_name.endswith("*"):
                raise invalid("%s: expected a Buffer, found %.80r"
                              % (what, value))
            content = values.scalar(value, type_name, what)
            c.call("clwSetArg", "Kernel.set_arg", handle, index, len(content),
                   content)
            self._arguments.pop(index, None)
        return None

    def set_local_arg(self, index, size):
        """Argument index is so many bytes of __local memory:
        clbuild.localMemorySize(bytes), or a number."""
        with self._lock:
            c.call("clwSetArgLocal", "Kernel.set_local_arg", self._get(),
                   values.index(index, "index") & 0xffffffff,
                   values.index(size, "size"))
            self._arguments.pop(index, None)

    def launch(self, global_size, local_size=None):
        """Run it, and wait.

        global_size, local_size: a number, or a tuple of 1 to 3. Without a
        local size the driver chooses; with one, the global size is a multiple
        of it in every dimension.
        """
        handle = self._get()
        wide = values.work_size(global_size, "global_size")
        local = None if local_size is None else \
            values.work_size(local_size, "local_size")
        if local and len(local) != len(wide):
            raise invalid("kernel %s: a global size of %d dimensions, a local "
                          "size of %d" % (self.name, len(wide), len(local)),
                          "clw-invalid-work-size")
        with self._lock, using(self._arguments.values()):
            c.call("clwLaunch", "Kernel.launch", handle, len(wide),
                   c.sizes(wide), c.sizes(local))
            c.call("clwFinish", "Kernel.launch", self._context.handle)

    def release(self):
        """Release it, and its hold of its buffers, now."""
        if self._end:
            self._end()
        self._handle = None
        self._arguments.clear()
