# SPDX-License-Identifier: Apache-2.0
"""Buffers, and their locks."""
import copy

from . import _libclw as c
from . import values
from .devices import context, owned
from .errors import OutOfMemoryError, invalid

MEM_READ_WRITE = 1 << 0
MEM_WRITE_ONLY = 1 << 1
MEM_READ_ONLY = 1 << 2
MEM_ALLOC_HOST = 1 << 4         # CL_MEM_ALLOC_HOST_PTR
MEM_HOST_WRITE_ONLY = 1 << 7
MEM_HOST_READ_ONLY = 1 << 8
MEM_HOST_NO_ACCESS = 1 << 9
MEM_EXCLUSIVE = 1 << 62         # ours: libclw does not get it


class Buffer:
    """Memory of a device.

    size:     bytes, or size_gb: so many GiB; without both the size of data.
    flags:    MEM_*, combined by |. MEM_EXCLUSIVE: one thread at a time: each
              launch and transfer that uses it holds its Lock.
    affinity: the device's number, such as GPU_0 [CLW_DEVICE_ID, else 0].
    data:     what it holds at first: bytes, an array, or anything else with
              the buffer protocol. It is copied.

    Where the device has not the memory, also after the memory timeout, the
    object is made all the same: its address() and size() are 0, error is the
    OutOfMemoryError, and every other use of it raises that. All other errors
    are raised here. The memory is given back when the object is collected, by
    release(), or at the end of a with block.
    """

    def __init__(self, size=None, size_gb=None, flags=0, affinity=None,
                 data=None):
        content = None if data is None else values.view(data, "data")
        wanted = self._wanted(size, size_gb, content)
        flags = values.index(flags, "flags")
        self.is_exclusive = bool(flags & MEM_EXCLUSIVE)
        if self.is_exclusive and flags & MEM_ALLOC_HOST:
            raise invalid("flags: MEM_EXCLUSIVE and MEM_ALLOC_HOST, memory of "
                          "the host's, exclude each other")
        self.error = None
        self._handle = self._end = None
        self._context = context(affinity)
        try:
            self._handle = c.made("clwCreateBuffer", "Buffer",
                                  self._context.handle, wanted,
                                  flags & ~MEM_EXCLUSIVE)
        except OutOfMemoryError as error:
            if error.code == "clw-out-of-host-memory":
                raise
            self.error = error.with_traceback(None)
            return
        self._end = owned(self, c.lib.clwReleaseBuffer, self._handle)
        if content is not None:
            self.write(content)

    @staticmethod
    def _wanted(size, size_gb, content):
        if size is not None and size_gb is not None:
            raise invalid("Buffer: size and size_gb exclude each other")
        if size_gb is not None:
            try:
                size = int(size_gb * 2 ** 30)
            except (TypeError, ValueError, OverflowError):
                raise invalid("size_gb: expected a number, found %.80r"
                              % (size_gb,)) from None
        if size is None:
            if content is None:
                raise invalid("Buffer: expected size, size_gb or data")
            size = content.nbytes
        size = values.index(size, "size")
        if content is not None and content.nbytes > size:
            raise invalid("data: %d bytes for a buffer of %d"
                          % (content.nbytes, size), "clw-buffer-overflow")
        return size

    def __repr__(self):
        return "<pyopenclaw.Buffer of %d bytes at 0x%x>" % (self.size(),
                                                            self.address())

    def _get(self):
        if self.error:
            raise copy.copy(self.error)
        if not self._handle:
            raise invalid("the buffer was released", "clw-invalid-handle")
        return self._handle

    def size(self):
        """Bytes that it has; 0: the allocation failed, or it was released."""
        return c.lib.clwBufferSize(self._handle) if self._handle else 0

    def address(self):
        """A number that is the buffer's alone while it lives, as OpenCL does
        not tell where on the device it is; 0 as of size()."""
        return c.lib.clwBufferAddress(self._handle) if self._handle else 0

    def write(self, data, offset=0):
        """Copy data into it, at offset bytes; wait."""
        content = values.view(data, "data")
        offset = values.index(offset, "offset")
        handle = self._get()
        if not content.nbytes:
            return
        where, kept = values.address(content)
        with using([self]):
            c.call("clwEnqueueWrite", "Buffer.write", handle, offset,
                   content.nbytes, where, 0)
        del kept

    def read(self, into=None, offset=0, size=None):
        """Wait for what was launched, and copy size bytes [all from offset].

        into: a writable object with the buffer protocol, which is filled and
        returned; without it a bytearray is.
        """
        handle = self._get()
        offset = values.index(offset, "offset")
        if into is None:
            size = max(self.size() - offset, 0) if size is None else \
                values.index(size, "size")
            if offset + size > self.size():
                raise invalid("read of %d bytes at %d of a buffer of %d"
                              % (size, offset, self.size()),
                              "clw-buffer-overflow")
            into = bytearray(size)
        content = values.view(into, "into", writable=True)
        if size is not None and size < content.nbytes:
            content = content[:size]
        if not content.nbytes:
            return into
        where, kept = values.address(content)
        with using([self]):
            c.call("clwEnqueueRead", "Buffer.read", handle, offset,
                   content.nbytes, where, 0)
        del kept
        return into

    def array(self, type="float"):
        """Its content, copied, as a numpy array (a memoryview where there is no
        numpy) of that type of OpenCL C."""
        content = self.read()
        item = values.scalar_size(type)
        return values.array(content[:len(content) // item * item], type,
                            len(content) // item)

    def release(self):
        """Give the memory back now. A launch that uses it is an error then."""
        if self._end:
            self._end()
        self._handle = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.release()


class Lock:
    """with Lock(buffer): one thread at a time, which may lock it again.

    At its end what was launched meanwhile has ended; what that failed with is
    raised, unless the block itself has raised something.
    """

    def __init__(self, buffer):
        if not isinstance(buffer, Buffer):
            raise invalid("Lock: expected a Buffer, found %.80r"
                          % type(buffer).__name__)
        self._buffer = buffer

    def __enter__(self):
        c.call("clwLockBuffer", "Lock", self._buffer._get())
        return self._buffer

    def __exit__(self, kind, value, traceback):
        if c.status("clwUnlockBuffer", "Lock",
                    self._buffer._handle) and not kind:
            raise c.last_error()


class using:
    """The locks of those of the buffers that are MEM_EXCLUSIVE, in one order
    for all threads. Their unlocking waits for the commands."""

    def __init__(self, buffers):
        self._locks = [Lock(one) for one in sorted(
            {one for one in buffers if one.is_exclusive}, key=id)]

    def __enter__(self):
        taken = []
        try:
            for lock in self._locks:
                lock.__enter__()
                taken.append(lock)
        except BaseException as error:
            for lock in reversed(taken):
                lock.__exit__(type(error), error, None)
            raise

    def __exit__(self, kind, value, traceback):
        for lock in reversed(self._locks):
            lock.__exit__(kind, value, traceback)
