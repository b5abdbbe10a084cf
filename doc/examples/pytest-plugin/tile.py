# SPDX-License-Identifier: Apache-2.0
"""Tiles of an image on the device, with a way out when memory is short."""
import numpy
import pyopencl as cl

SOURCE = """
kernel void brighten(global float *tile, float by)
{
    tile[get_global_id(0)] += by;
}
"""


class TileError(Exception):
    """A tile could not be processed."""


def open_device():
    return cl.Context(cl.get_platforms()[0].get_devices()[:1])


def brighten(context, tile, by):
    """The tile, brighter; in halves where the device has no memory for it."""
    try:
        return _brighten(context, tile, by)
    except cl.MemoryError as error:
        if tile.size < 2:
            raise TileError("no memory for a tile: %s" % error) from error
    return numpy.concatenate([brighten(context, half, by)
                              for half in numpy.array_split(tile, 2)])


def _brighten(context, tile, by):
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    with cl.CommandQueue(context) as queue:
        memory = cl.Buffer(context, flags, hostbuf=tile)
        kernel = cl.Program(context, SOURCE).build().brighten
        kernel(queue, tile.shape, None, memory, numpy.float32(by))
        result = numpy.empty_like(tile)
        cl.enqueue_copy(queue, result, memory)
    return result
