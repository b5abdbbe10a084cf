# SPDX-License-Identifier: Apache-2.0
"""Python values as the bytes of kernel arguments, and bytes as arrays."""
import ctypes
import operator
import struct

from .errors import invalid

try:
    import numpy
except ImportError:
    numpy = None

# OpenCL C scalars: format of struct, numpy's name.
_TYPES = {
    "char": ("b", "int8"), "uchar": ("B", "uint8"), "bool": ("?", "uint8"),
    "short": ("h", "int16"), "ushort": ("H", "uint16"),
    "half": ("e", "float16"), "int": ("i", "int32"), "uint": ("I", "uint32"),
    "long": ("q", "int64"), "ulong": ("Q", "uint64"),
    "float": ("f", "float32"), "double": ("d", "float64"),
}
_FLOATS = "efd"
SIZE_MAX = 2 ** 63 - 1


def _split(name):
    """"float4" -> ("float", 4); of no type of OpenCL C (None, 1)."""
    if name.startswith("unsigned "):
        name = "u" + name[len("unsigned "):]
    base = name.rstrip("0123456789")
    width = int(name[len(base):] or 1)
    return (base, width) if base in _TYPES else (None, 1)


def index(value, what):
    """An integer from 0 to 2^63 - 1."""
    try:
        number = operator.index(value)
    except TypeError:
        raise invalid("%s: expected an integer, found %.80r" % (what, value)) \
            from None
    if not 0 <= number <= SIZE_MAX:
        raise invalid("%s: expected 0 to 2^63 - 1, found %d" % (what, number),
                      "clw-invalid-size")
    return number


def work_size(value, what):
    """(x, y, z), of 1 to 3 dimensions, from a number or a sequence."""
    try:
        values = tuple(value) if hasattr(value, "__iter__") else (value,)
        values = tuple(operator.index(one) for one in values)
    except TypeError:
        values = ()
    if not 1 <= len(values) <= 3 or not all(0 <= one <= SIZE_MAX
                                            for one in values):
        raise invalid("%s: expected 1 to 3 integers from 0 to 2^63 - 1, found "
                      "%.80r" % (what, value), "clw-invalid-work-size")
    return values


def view(data, what, writable=False):
    """The bytes of an object that has the buffer protocol."""
    try:
        whole = memoryview(data)
        if not whole.c_contiguous:
            raise invalid("%s: its memory is not contiguous" % what)
        if writable and whole.readonly:
            raise invalid("%s: cannot be written to" % what)
        return whole.cast("B") if whole.nbytes else memoryview(b"")
    except TypeError:
        raise invalid("%s: expected bytes, an array or another object with "
                      "the buffer protocol, found %.80r"
                      % (what, type(data).__name__)) from None


def address(bytes_view):
    """Where its bytes are, and what has to live as long as that is used."""
    if bytes_view.readonly:
        if numpy:
            array = numpy.frombuffer(bytes_view, "uint8")
            return array.ctypes.data, array
        copy = bytes(bytes_view)
        return ctypes.cast(ctypes.c_char_p(copy), ctypes.c_void_p), copy
    array = (ctypes.c_char * bytes_view.nbytes).from_buffer(bytes_view)
    return ctypes.addressof(array), array


def _pack(letter, value, what):
    try:
        if letter in _FLOATS:
            value = float(value)
        elif isinstance(value, float):
            if not value.is_integer():
                raise ValueError("expected an integer")
            value = int(value)
        return struct.pack("=" + letter, value)
    except (struct.error, OverflowError, TypeError, ValueError) as error:
        raise invalid("%s: %.80r: %s" % (what, value, error)) from None


def scalar(value, type_name, what):
    """The bytes of a number for an argument of that type; of "", which is not
    known, an int is an int (a long, if it needs that), a float a float."""
    base, width = _split(type_name)
    if isinstance(value, (bool, int, float)) or (
            hasattr(value, "__index__") and not hasattr(value, "dtype")):
        if not isinstance(value, float):
            value = operator.index(value)
        if width > 1:
            raise invalid("%s: expected %d numbers (%s), found one"
                          % (what, width, type_name))
        if base:
            return _pack(_TYPES[base][0], value, what)
        if isinstance(value, float):
            return _pack("f", value, what)
        return _pack("i" if -2 ** 31 <= value < 2 ** 31 else "q", value, what)
    if isinstance(value, (tuple, list)):
        if not base or len(value) != width:
            raise invalid("%s: expected %s, found %d numbers"
                          % (what, type_name or "one number", len(value)))
        whole = b"".join(_pack(_TYPES[base][0], one, what) for one in value)
        return whole.ljust(len(whole) // 3 * 4, b"\0") if width == 3 else whole
    if numpy and isinstance(value, numpy.generic) and base and width == 1:
        return _pack(_TYPES[base][0], value.item(), what)
    return bytes(view(value, what))


def scalar_size(type_name):
    """Bytes of one element of that type."""
    base, width = _split(type_name) if isinstance(type_name, str) else (None, 1)
    if not base:
        raise invalid("expected a type of OpenCL C such as float4, found %.80r"
                      % (type_name,))
    return struct.calcsize("=" + _TYPES[base][0]) * (4 if width == 3 else width)


def array(data, type_name, count):
    """numpy's array of that type, else a memoryview; shape (count,), or (count,
    width) of vectors."""
    base, width = _split(type_name)
    stored = 4 if width == 3 else width
    letter, dtype = _TYPES[base] if base else ("B", "uint8")
    if not base:
        count = len(data)
    shape = (count,) if width == 1 else (count, stored)
    if numpy:
        whole = numpy.frombuffer(bytearray(data), dtype).reshape(shape)
        return whole[:, :3] if width == 3 else whole
    if not data:
        return memoryview(bytearray()).cast("B")
    if letter == "e":       # memoryview knows no half: as 16 bits
        letter = "H"
    return memoryview(bytearray(data)).cast("B").cast(letter, shape)


def array_as(data, letter, shape):
    """... of the buffer protocol's format and shape."""
    if numpy:
        return numpy.frombuffer(bytearray(data), letter).reshape(shape)
    whole = memoryview(bytearray(data))
    try:
        return whole.cast(letter, shape)
    except ValueError:      # a format that memoryview cannot index
        return whole
