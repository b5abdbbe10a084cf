# SPDX-License-Identifier: Apache-2.0
"""Tests that pytest_plugin.test runs under the plugin, copied to
test_plugin.py: each with what is expected of it there."""
import pytest

cl = pytest.importorskip("pyopencl")
numpy = pytest.importorskip("numpy")

DOUBLE = "kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }"
NEVER = "clCreateSampler:error=CL_OUT_OF_RESOURCES"
kept = []


@pytest.fixture(scope="module")
def context():
    return cl.Context(cl.get_platforms()[0].get_devices()[:1])


@pytest.fixture(scope="module")
def wide(context):
    """Outlives the first test that uses it, and is no leak of that."""
    return cl.Buffer(context, cl.mem_flags.READ_WRITE, 64)


@pytest.fixture
def buffer(context):
    return cl.Buffer(context, cl.mem_flags.READ_WRITE, 64)


def double(context, error=None):
    values = numpy.ones(4, "f4")
    with cl.CommandQueue(context) as queue:
        kernel = cl.Program(context, DOUBLE).build().twice
        memory = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=values)
        kernel(queue, values.shape, None, memory)
        cl.enqueue_copy(queue, values, memory)
    return values[0]


def test_clean(context, buffer, wide):
    assert double(context) == 2


@pytest.mark.claw_fault("clCreateBuffer:oom")
def test_mark(context):
    with pytest.raises(cl.MemoryError):
        double(context)


@pytest.mark.claw_fault("clCreateBuffer:oom")
class TestTwo:
    @pytest.mark.claw_fault("clBuildProgram:delay=1ms", "clCreateKernel:delay=1ms")
    def test_three_marks(self, context, claw):
        with pytest.raises(cl.MemoryError):
            double(context)
        assert claw.fired() == 4


def test_disarmed(context):
    """Nothing of the tests before is armed any more."""
    assert double(context) == 2


@pytest.mark.claw_fault(NEVER)
def test_mark_never():
    pass


@pytest.mark.claw_fault(NEVER)
def test_mark_never_skipped():
    pytest.skip("so nothing can fire")


@pytest.mark.claw_fault("clCreateBuffer:ooom")
def test_wrong_rule():
    pass


@pytest.mark.claw_fault(NEVER)
def test_fails_by_itself():
    assert 1 == 2


def test_fixture(claw, context):
    with claw.arm("clCreateBuffer:oom") as fault:
        with pytest.raises(cl.MemoryError):
            double(context)
    assert fault.fired == 2     # pyopencl tries twice
    assert double(context) == 2
    assert claw.fired() == 2


def test_fixture_never(claw):
    claw.arm(NEVER)


def test_objects(claw, context):
    before = claw.leaks()
    memory = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4096)
    found, = claw.leaks()
    assert before == [] and found.function == "clCreateBuffer"
    assert found.bytes == 4096 and found.handle == memory.int_ptr
    assert found.place.startswith(__file__) and "(test_objects)" in found.place
    assert claw.findings() == []
    del memory
    assert claw.leaks() == []


def test_leak(context):
    kept.append(cl.Buffer(context, cl.mem_flags.READ_WRITE, 4096))


@pytest.mark.claw_no_check
def test_leak_on_purpose(context):
    kept.append(cl.Buffer(context, cl.mem_flags.READ_WRITE, 4096))


def test_released_twice(context):
    memory = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4096)
    cl.MemoryObject.from_int_ptr(memory.int_ptr, retain=False)


@pytest.mark.parametrize("number", [1, 2])
def test_same_places(context, number):
    memory = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4096)
    cl.MemoryObject.from_int_ptr(memory.int_ptr, retain=False)
    memory.release()


def test_released_findings(claw, context):
    memory = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4096)
    cl.MemoryObject.from_int_ptr(memory.int_ptr, retain=False)
    memory.release()
    found, = claw.findings()
    assert found.kind == "double release" and "(test_released" in found.text


# For --claw-sweep.

def test_sweep_reports(context):
    assert double(context) == 2


def test_sweep_swallows(context):
    try:
        result = double(context)
    except cl.Error:
        result = 1
    assert result == 2


def test_sweep_own_error(context):
    try:
        double(context)
    except cl.Error as error:
        raise TileError from error


class TileError(Exception):
    pass


def test_sweep_leaks(context):
    memory = cl.Buffer(context, cl.mem_flags.READ_WRITE, 64)
    try:
        double(context)
    except cl.Error:
        kept.append(memory)
        raise
