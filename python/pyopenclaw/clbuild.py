# SPDX-License-Identifier: Apache-2.0
"""Sizes for kernels: clbuild.localMemorySize(bytes)."""
from . import values
from .errors import invalid


class LocalMemory(int):
    """Bytes of local memory, for Kernel.set_local_arg()."""

    def __repr__(self):
        return "localMemorySize(%d)" % self


def localMemorySize(bytes):
    """So many bytes of __local memory for each work-group."""
    size = values.index(bytes, "localMemorySize")
    if not size:
        raise invalid("localMemorySize: expected at least 1 byte, found 0",
                      "clw-invalid-size")
    return LocalMemory(size)
