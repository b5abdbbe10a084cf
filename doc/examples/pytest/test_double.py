# SPDX-License-Identifier: Apache-2.0
"""A pyopencl program under faults. Run: pytest (or python3 -m pytest)."""
import pathlib
import sys

import pytest

PROGRAM = [sys.executable, pathlib.Path(__file__).with_name("double.py")]


# pyopencl tries an allocation twice: ".." keeps the second from succeeding.
@pytest.mark.parametrize("fault", [
    "clCreateBuffer:oom:when=1..",
    "clBuildProgram:build-fail",
    "clEnqueueNDRangeKernel:error=CL_OUT_OF_RESOURCES",
    "clEnqueueReadBuffer:delay=200ms",
])
def test_fault_is_handled(openclaw, fault):
    openclaw.judge(PROGRAM, fault)


def test_retry_of_pyopencl_recovers(openclaw):
    assert "handled" in openclaw.judge(PROGRAM, "clCreateBuffer:oom:when=1")
