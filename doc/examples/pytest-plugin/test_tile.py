# SPDX-License-Identifier: Apache-2.0
"""Tests of tile.py with the pytest plugin of openclaw:

    pytest --claw           with the layer: the faults below
    pytest --claw-check     and no test may leak an OpenCL object
    pytest --claw-sweep     and each OpenCL call of a test fails once
"""
import numpy
import pytest

import tile


@pytest.fixture(scope="module")
def context():
    return tile.open_device()


@pytest.fixture
def dark():
    return numpy.zeros(64, dtype=numpy.float32)


def test_brighten(context, dark):
    assert (tile.brighten(context, dark, 2) == 2).all()


# pyopencl tries an allocation twice: 1..2 keeps the second from succeeding.
@pytest.mark.claw_fault("clCreateBuffer:oom:when=1..2")
def test_little_memory_means_halves(context, dark):
    assert (tile.brighten(context, dark, 2) == 2).all()


@pytest.mark.claw_fault("clCreateBuffer:oom")
def test_no_memory_at_all(context, dark):
    with pytest.raises(tile.TileError, match="no memory for a tile"):
        tile.brighten(context, dark, 2)


def test_halves_are_two_buffers(claw, context, dark):
    fault = claw.arm("clCreateBuffer:oom:above=200B")
    tile.brighten(context, dark, 2)
    assert fault.fired == 2         # pyopencl's two tries
    assert claw.findings() == []
