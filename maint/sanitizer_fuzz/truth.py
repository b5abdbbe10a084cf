# SPDX-License-Identifier: Apache-2.0
"""What a random kernel does to its objects, in numbers as C has them."""


def convert(value, kind):
    """A number as one of C's types: i int, u uint, z size_t."""
    if kind == "i":
        return (value + (1 << 31)) % (1 << 32) - (1 << 31)
    return value % (1 << (32 if kind == "u" else 64))


class Undefined(Exception):
    """The program's arithmetic has no meaning: nothing can be said of it."""


def exact(value, kind="i"):
    """What an operator gives; an int may not overflow."""
    if kind == "i" and not -(1 << 31) <= value < 1 << 31:
        raise Undefined
    return convert(value, kind)


def shifted(value, distance, kind):
    if value < 0:
        raise Undefined
    return exact(value << distance, kind)


def common(one, two):
    return "z" if "z" in (one, two) else "u" if "u" in (one, two) else "i"


def divided(one, two):
    quotient = abs(one) // abs(two)
    return quotient if (one < 0) == (two < 0) else -quotient


class Truth:
    """Who went wrong where: of each line (work-item, offset), in order."""

    def __init__(self):
        self.wrong = {}
        self.item = None

    def bad(self, line, offset):
        self.wrong.setdefault(line, []).append((self.item, offset))

    def touch(self, line, pointer, bytes_, align):
        """pointer: (bytes of its object, offset). Whether it is right."""
        size, offset = pointer
        right = 0 <= offset and offset + bytes_ <= size and offset % align == 0
        if not right:
            self.bad(line, offset)
        return right

    def index(self, line, index, count, size):
        """Of an array; the index is an unsigned 64-bit number there."""
        if 0 <= index < count:
            return True
        self.bad(line, index * size)
        return False


def signed(value):
    """An address's distance: 64 bits, either way."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)
