# SPDX-License-Identifier: Apache-2.0
"""pyopenclaw in every way: python3 pyopenclaw_use.py CASE. Ends with 0, or with
a traceback that says what was not as expected. Needs no numpy."""
import array
import gc
import os
import pickle
import signal
import sys
import threading
import time

import pyopenclaw as claw

ADD = """kernel void add(global float *x, float f, int2 v, local float *s)
{
    s[get_local_id(0)] = f;
    x[get_global_id(0)] += s[get_local_id(0)] + v.x + v.y;
}"""


def fails(code, words, call, *arguments, of=claw.OpenClawError, **named):
    """It raises that error; the next call works is for whoever calls this."""
    try:
        call(*arguments, **named)
    except of as error:
        assert isinstance(error, claw.OpenClawError), type(error)
        assert error.code == code, (error.code, str(error))
        assert words in str(error), str(error)
        return error
    raise AssertionError("no error: expected %s" % code)


def floats(*values):
    return array.array("f", values)


def doubled(kernel, values):
    source = claw.Buffer(data=floats(*values))
    result = claw.Buffer(size=source.size())
    kernel.set_arg(0, source)
    kernel.set_arg(1, result)
    kernel.launch(len(values), len(values))
    return list(result.array("float"))


def use():
    assert doubled(claw.Kernel("compute"), [1, 2, 3, -4]) == [2, 4, 6, -8]
    kernel = claw.Kernel("add", source=ADD)
    buffer = claw.Buffer(data=floats(*[0] * 8), flags=claw.MEM_EXCLUSIVE)
    kernel.set_arg(0, buffer)
    kernel.set_arg(1, 3)            # an int for a float
    kernel.set_arg(2, [10, 20])
    kernel.set_local_arg(3, claw.clbuild.localMemorySize(32))
    kernel.launch((8,), (4,))
    assert list(buffer.array()) == [33] * 8
    into = bytearray(4)
    assert buffer.read(into, offset=4) is into
    assert array.array("f", bytes(into))[0] == 33
    buffer.write(b"\0\0\0\0", offset=28)
    assert list(buffer.array())[6:] == [33, 0]
    assert buffer.size() == 32 and buffer.address()
    with claw.Lock(buffer) as locked:
        assert locked is buffer
        kernel.launch(8)
    used = claw.memory()
    assert used["buffers"] == 1 and used["used_bytes"] == 32, used


def collected():
    """What is not used any more is given back at once."""
    kernel = claw.Kernel("compute")
    for _ in range(50):
        doubled(kernel, [1, 2])
    kernel.release()
    missing = claw.Buffer(size_gb=100000)
    assert missing.error
    del kernel, missing
    gc.disable()
    assert claw.memory()["buffers"] == 0, claw.memory()


def wrong():
    """Mistakes: a typed error with what and where, and the next call works."""
    ok = claw.Buffer(size=64)
    kernel = claw.Kernel("compute")
    size = "clw-invalid-size"
    fails(size, "size is 0", claw.Buffer, size=0)
    fails(size, "found -1", claw.Buffer, size=-1)
    fails(size, "2^63", claw.Buffer, size=2 ** 63, of=ValueError)
    argument = "clw-invalid-argument"
    fails(argument, "expected size, size_gb or data", claw.Buffer)
    fails(argument, "exclude each other", claw.Buffer, size=1, size_gb=1)
    fails(argument, "'much'", claw.Buffer, size="much")
    fails(argument, "size_gb", claw.Buffer, size_gb="x")
    fails(argument, "exclude", claw.Buffer, size=64,
          flags=claw.MEM_EXCLUSIVE | claw.MEM_ALLOC_HOST)
    fails(argument, "flags", claw.Buffer, size=64,
          flags=claw.MEM_READ_ONLY | claw.MEM_WRITE_ONLY)
    fails("clw-buffer-overflow", "data: 4 bytes", claw.Buffer, size=2,
          data=b"four")
    fails("clw-no-device", "no device 99", claw.Buffer, size=1, affinity=99)
    fails("clw-buffer-overflow", "65 bytes", ok.write, b"x" * 65)
    fails("clw-buffer-overflow", "past", ok.write, b"xx", offset=63)
    fails("clw-buffer-overflow", "read of 65", ok.read, size=65)
    fails(argument, "cannot be written", ok.read, b"1234")
    fails(argument, "buffer protocol", ok.write, 7)
    fails(argument, "quad", ok.array, "quad")
    fails("clw-argument-not-set", "'input'", kernel.launch, 8)
    kernel.set_arg(0, ok)
    unset = fails("clw-argument-not-set", "argument 1 ('output') of kernel "
                  "compute is not set", kernel.launch, 8)
    assert "pyopenclaw_use.py" in unset.report, unset.report
    fails(argument, "kernel compute has 2", kernel.set_arg, 2, ok)
    fails(argument, "expected a Buffer", kernel.set_arg, 1, 3.5)
    kernel.set_arg(1, ok)
    work = "clw-invalid-work-size"
    error = fails(work, "1921x1081, local size 16x16", kernel.launch,
                  (1921, 1081), (16, 16), of=ValueError)
    assert error.cl_code == -54 and "CL_INVALID_WORK_GROUP_SIZE" in error.report
    for wide, local in ((0, None), ((1, 2, 3, 4), None), ("x", None), (-1, 1),
                        (8, 0), (8, (1, 1)), ((), None), (1.5, None)):
        fails(work, "", kernel.launch, wide, local)
    kernel.launch(8, 8)
    add = claw.Kernel("add", source=ADD)
    add.set_arg(0, ok)
    fails(argument, "argument 1 ('f')", add.set_arg, 1, "x")
    fails(argument, "expected 2 numbers (int2)", add.set_arg, 2, 1)
    fails(argument, "argument 2", add.set_arg, 2, [1, 2 ** 40])
    fails(size, "local memory", add.set_local_arg, 3, 2 ** 40)
    fails(size, "", claw.clbuild.localMemorySize, 0)
    ok.release()
    ok.release()
    fails("clw-invalid-handle", "was released", kernel.launch, 8)
    fails("clw-invalid-handle", "was released", ok.read)
    assert ok.size() == 0 and ok.address() == 0
    fails(argument, "expected a Buffer", claw.Lock, 7)
    fails(argument, "timeout_ms", claw.get_device(0).wait_for_recovery, 0)
    fails("clw-no-device", "no device 99", claw.get_device(99).reset)
    assert doubled(claw.Kernel("compute"), [1, 2]) == [2, 4]
    text = pickle.loads(pickle.dumps(unset))
    assert (type(text), text.code, str(text)) == (
        type(unset), unset.code, str(unset))


def kernels():
    none = claw.Kernel("no_such_kernel")
    assert not none.is_valid()
    for call in (lambda: none.launch(1), lambda: none.set_arg(0, 1),
                 lambda: none.set_local_arg(0, 1)):
        fails("clw-kernel-not-found", "no_such_kernel", call,
              of=claw.KernelError)
    broken = claw.Kernel("k", source="kernel void k(global float *x) { y; }")
    assert not broken.is_valid()
    assert broken.error.code == "clw-kernel-build-failure", broken.error
    assert "y" in str(broken.error)
    fails("clw-invalid-argument", "expected a name", claw.Kernel, 7)
    fails("clw-invalid-argument", "expected a name", claw.Kernel, "a\0b")
    assert claw.Kernel("compute").is_valid()


def memory():
    """Under faults: an allocation that failed is an object with address 0."""
    claw.set_memory_timeout(0.2)
    buffer = claw.Buffer(size=1024)
    assert buffer.address() == 0 and buffer.size() == 0
    assert isinstance(buffer.error, MemoryError)
    kernel = claw.Kernel("compute")
    fails(buffer.error.code, "1 KiB" if "timeout" in buffer.error.code else "",
          kernel.set_arg, 0, buffer, of=claw.OutOfMemoryError)
    fails(buffer.error.code, "", buffer.write, b"x")
    fails(buffer.error.code, "", claw.Lock(buffer).__enter__)
    print(buffer.error.report)


def lost():
    """Under a fault that loses the device: typed, and said of every call."""
    kernel = claw.Kernel("compute")
    assert doubled(kernel, [1]) == [2]
    error = fails("clw-gpu-crash", "kernel compute", doubled, kernel, [1],
                  of=claw.GPUCrashError)
    assert "pyopenclaw_use.py" in error.report, error.report
    try:
        doubled(claw.Kernel("compute"), [1])
    except claw.DeviceLostError:
        print("lost for good")
    else:
        print("a new context works")


def workloads():
    workload = claw.Workload("matrix_multiply_v2")
    fails("clw-invalid-argument", "'retries' is no key", workload.config,
          {"enable_crash_recovery": True, "retries": 3})
    fails("clw-invalid-argument", "expected 0 to 1000", workload.config,
          {"max_retry_attempts": 1001})
    fails("clw-invalid-argument", "expected a dict", workload.config, 7)
    fails("clw-invalid-argument", "expected an integer", workload.config,
          {"gpu_timeout_ms": "soon"})
    fails("clw-invalid-argument", "name of a key", workload.config, {3: 4})
    # A config that failed has set nothing: this one raises.
    # On a CPU the worker dies; a GPU's driver says that the device is lost.
    fails("clw-gpu-crash", "compute_bug",
          claw.Workload("compute_bug").execute, of=claw.GPUCrashError)
    result = workload.execute()
    assert result.success and result.error_code is None, result
    assert tuple(result.output.shape) == (9,), result.output.shape
    assert [float(one) for one in result.output][:4] == [1, 2, 4, 3]
    assert result.peak_memory_mb > 0 and result.attempts == 1
    own = claw.Workload("compute")
    own.set_arg(0, floats(1, 2, 3, 4, 5, 6, 7, 8))
    own.set_arg(1, floats(*[0] * 8), output=True)
    own.set_size(8, 4)
    assert list(own.execute().outputs[1])[7] == 16
    fails("clw-invalid-work-size", "", own.set_size, (8, 8), 4)
    missing = claw.Workload("no_such_kernel")
    fails("clw-kernel-not-found", "no_such_kernel", missing.execute)
    missing.config({"enable_crash_recovery": True})
    result = missing.execute()
    assert not result.success and result.error_code == "clw-kernel-not-found"


def recovery():
    """A worker that crashes, one that is killed, one that hangs."""
    workload = claw.Workload("compute_bug")
    workload.config({"enable_crash_recovery": True, "max_retry_attempts": 2})
    result = workload.execute()
    assert not result.success and result.error_code == "clw-gpu-crash"
    assert result.attempts == 3, result.attempts
    assert "compute_bug" in result.message
    device = claw.get_device(workload.device_id)
    device.reset()
    first = device.worker_pid
    device.wait_for_recovery(timeout_ms=20000)
    os.kill(first, signal.SIGKILL)
    time.sleep(0.05)
    good = claw.Workload("compute")
    good.config({"enable_crash_recovery": True})
    assert good.execute().success
    assert device.worker_pid != first
    device.probe()


def threads():
    kernel = claw.Kernel("compute")
    buffer = claw.Buffer(data=floats(*[1] * 64), flags=claw.MEM_EXCLUSIVE)
    kernel.set_arg(0, buffer)
    kernel.set_arg(1, buffer)
    errors = []

    def work():
        try:
            for _ in range(5):
                with claw.Lock(buffer):
                    kernel.launch(64, 8)
                fails("clw-invalid-size", "", claw.Buffer, size=0)
        except BaseException as error:
            errors.append(error)
    all_of = [threading.Thread(target=work) for _ in range(4)]
    for one in all_of:
        one.start()
    for one in all_of:
        one.join()
    assert not errors, errors
    assert list(buffer.array()) == [2.0 ** 20] * 64


def forked():
    """A child has nothing of its parent's, and ends none of it."""
    buffer = claw.Buffer(size=64)
    child = os.fork()
    if not child:
        code = 1
        try:
            fails("clw-invalid-handle", "", buffer.write, b"x")
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    buffer.write(b"x")


def swept():
    """For openclaw sweep: what goes wrong is an OpenClawError and status 3."""
    try:
        values = doubled(claw.Kernel("compute"), [1, 2, 3, 4])
    except claw.OpenClawError as error:
        print(error.report, file=sys.stderr)
        sys.exit(3)
    print(values)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
