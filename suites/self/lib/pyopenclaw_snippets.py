# SPDX-License-Identifier: Apache-2.0
"""The Python of a text, taken from it and run: pyopenclaw_snippets.py TEXT CASE.

A piece of the text is named by how its first line begins, which of those it is,
and how its last line begins; nothing of it is here. What the text leaves out,
such as the sizes of a launch, is given as globals. Ends with 0, or with a
traceback that says what was not as expected.
"""
import contextlib
import io
import os
import shutil
import sys
import tempfile
import textwrap

import pyopenclaw

__file__ = os.path.abspath(__file__)
TEXT = open(sys.argv[1], encoding="utf-8").read().split("\n")
SIZES = {"global_size": (256,), "local_size": (64,)}


def piece(first, number, last):
    starts = [i for i, line in enumerate(TEXT)
              if line.strip().startswith(first)]
    begin = starts[number - 1]
    end = next(i for i in range(begin, len(TEXT))
               if TEXT[i].strip().startswith(last))
    return textwrap.dedent("\n".join(TEXT[begin:end + 1])) + "\n"


def execute(code, **given):
    """Run it with these globals and give them back, with what it printed."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "snippet", "exec"), given)
    given["printed"] = printed.getvalue()
    return given


def raised(call, *arguments):
    try:
        call(*arguments)
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


def validation(number):
    return execute(piece("import pyopenclaw", number, "kernel.launch("),
                   **SIZES)["launch_workload"]


def kernel(text):
    with open("compute.cl", "w") as out:
        out.write(text)


GOOD = "kernel void compute(global float *x) { x[get_global_id(0)] = 1; }"


def validation_good():
    """Both work where nothing fails."""
    kernel(GOOD)
    validation(1)()
    validation(2)()


def validation_no_kernel():
    """Before: an error at the first use; after: the text's own."""
    kernel("kernel void compute(global float *x) { nonsense; }")
    error = raised(validation(1))
    assert error.code == "clw-kernel-build-failure", error
    error = raised(validation(2))
    assert type(error) is RuntimeError, error
    assert str(error) == "Kernel binary is invalid", error


def validation_no_memory():
    """Under clCreateBuffer:oom."""
    kernel(GOOD)
    error = raised(validation(1))
    assert error.code == "clw-memory-timeout", error
    error = raised(validation(2))
    assert type(error) is RuntimeError and "0 < 1024" in str(error), error


def local_memory():
    line = next(line for line in TEXT if "clbuild.localMemorySize" in line)
    code = line.split("Host code:")[1].strip().replace("sizeof(float)", "4")
    one = pyopenclaw.Kernel("image", source="kernel void image(global uchar "
                            "*in, global uchar *out, local float *s)"
                            "{ s[0] = in[0]; out[0] = s[0]; }")
    data = pyopenclaw.Buffer(data=b"\7")
    one.set_arg(0, data)
    one.set_arg(1, data)
    execute(code, kernel=one, clbuild=pyopenclaw.clbuild)
    one.launch(1, 1)
    assert data.read() == b"\7"


def workload():
    found = execute(piece("import pyopenclaw", 3, "return False"))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert found["run_with_verification"]() is True
    text = printed.getvalue()
    for words in ("completed successfully in", "Output shape: (9,)",
                  "Peak GPU memory: 0.00 MB"):
        assert words in text, text


def workload_failed():
    """Where the text's kernel crashes."""
    os.environ["CLW_KERNEL_PATH"] = os.getcwd()
    bug = os.path.join(os.path.dirname(__file__), "../../../kernels/seeds",
                       "compute_bug.clw")
    shutil.copyfile(bug, "matrix_multiply_v2.clw")
    found = execute(piece("import pyopenclaw", 3, "return False"))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert found["run_with_verification"]() is False
    assert printed.getvalue() == "Workload failed: clw-gpu-crash\n", \
        printed.getvalue()


def launched():
    one = pyopenclaw.Kernel("fill", source="kernel void fill(global float *x)"
                            "{ x[get_global_id(1) * get_global_size(0) + "
                            "get_global_id(0)] = 1; }")
    buffer = pyopenclaw.Buffer(size=1936 * 1088 * 4)
    one.set_arg(0, buffer)
    return one


def sizes_before():
    error = raised(execute, piece("global_size = (1921", 1, "kernel.launch("))
    assert isinstance(error, NameError)     # the piece has no kernel
    try:
        execute(piece("global_size = (1921", 1, "kernel.launch("),
                kernel=launched())
    except pyopenclaw.OpenClawError as failed:
        assert failed.code == "clw-invalid-work-size", failed
        assert "CL_INVALID_WORK_GROUP_SIZE" in failed.report, failed.report
    else:
        raise AssertionError("nothing was raised")


def sizes_after():
    found = execute(piece("import math", 1, "kernel.launch("),
                    kernel=launched())
    # Its comment says (1920, 1088): 1921 does not fit into 1920.
    assert found["global_size"] == (1936, 1088), found["global_size"]


def aliasing():
    """They are two buffers: no memory is in both."""
    found = execute(piece("workload_a =", 1, "workload_b ="),
                    pyopenclaw=pyopenclaw)
    one, two = found["workload_a"], found["workload_b"]
    assert one.size() == two.size() == 1 << 30
    assert one.address() != two.address()
    one.write(b"one")
    two.write(b"two")
    assert one.read(size=3) == b"one" and two.read(size=3) == b"two"


def exclusive():
    one = pyopenclaw.Kernel("fill", source="kernel void fill(global float *x)"
                            "{ x[get_global_id(0)] = 1; }")
    given = dict(SIZES, pyopenclaw=pyopenclaw, kernel=one, buffer_size=1024)
    allocate = piece("buffer = pyopenclaw.Buffer(", 3, ")")
    found = execute(allocate, **given)
    one.set_arg(0, found["buffer"])
    execute(piece("with pyopenclaw.Lock", 1, "kernel.launch("),
            **dict(given, buffer=found["buffer"]))
    assert list(found["buffer"].array()) == [1.0] * 256


def recover():
    """Before: the crash is an exception; after: reset, and the text's own."""
    before = piece("workload.execute()", 1, "workload2 =")
    crashing = pyopenclaw.Workload("compute_bug")
    error = raised(lambda: execute(before, pyopenclaw=pyopenclaw,
                                   workload=crashing))
    assert isinstance(error, pyopenclaw.GPUCrashError), error
    found = execute(piece("import pyopenclaw", 4, "raise pyopenclaw.Recov"))
    recovering = found["execute_with_recovery"]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        error = raised(recovering, crashing)
    assert type(error) is pyopenclaw.RecoverableError, error
    assert printed.getvalue().endswith("Resetting GPU device...\n")
    assert recovering(pyopenclaw.Workload("compute")).success


def handler():
    found = execute(piece("import pyopenclaw", 5, "return wrapper"))
    handled = found["comprehensive_error_handler"]

    def fail(code):
        raise pyopenclaw.errors.error_of(code, code)
    for code, words in (("clw-out-of-memory", "Memory issue"),
                        ("clw-kernel-timeout", "Timeout"),
                        ("clw-gpu-crash", "GPU crash"),
                        ("clw-device-lost", "Device lost")):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            error = raised(handled(fail), code)
        assert error.code == code and words in printed.getvalue()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        error = raised(handled(pyopenclaw.Workload("compute_bug").execute))
    assert error.code == "clw-gpu-crash" and "GPU crash" in printed.getvalue()
    assert handled(lambda: 7)() == 7


if __name__ == "__main__":
    # Kernels are looked for, and written, in the working directory.
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        globals()[sys.argv[2]]()
