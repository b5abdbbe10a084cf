# SPDX-License-Identifier: Apache-2.0
"""openclaw's layer in this process: arm faults, ask how often they fired.

The functions are those of openclaw.h, found as it finds them. They are reached
through the OpenCL loader that the tests use, too.
"""
import ctypes
import os
import shutil

PASTE = "pytest --claw, or first: eval \"$(openclaw env)\""
_known = {}


class LayerError(Exception):
    """Why a fault cannot be armed: one line."""


def _function(platform, name, result, *arguments):
    find = _known["cl"].clGetExtensionFunctionAddressForPlatform
    find.restype = ctypes.c_void_p
    find.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    found = find(platform, name)
    return ctypes.CFUNCTYPE(result, *arguments)(found) if found else None


def load():
    """Find its functions; LayerError says why there are none."""
    if "arm" in _known:
        return
    try:
        _known["cl"] = ctypes.CDLL("libOpenCL.so.1")
    except OSError as error:
        raise LayerError("there is no OpenCL loader: %s" % error) from None
    platform = ctypes.c_void_p()
    code = _known["cl"].clGetPlatformIDs(1, ctypes.byref(platform), None)
    if code or not platform:
        raise LayerError("there is no OpenCL platform (clGetPlatformIDs: %d)"
                         % code)
    fired = _function(platform, b"clawFiredOPENCLAW", ctypes.c_uint64,
                      ctypes.c_int)
    disarm = _function(platform, b"clawDisarmOPENCLAW", ctypes.c_int,
                       ctypes.c_int)
    arm = _function(platform, b"clawArmOPENCLAW", ctypes.c_int,
                    ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t)
    if not (arm and fired and disarm):
        raise LayerError("openclaw's layer is not loaded; run: " + PASTE)
    _known.update(fired=fired, disarm=disarm, arm=arm)


class Fault:
    """A rule that is armed in this process, until disarm() or the end of a
    with block. Counts start at 0 when it is armed."""

    def __init__(self, rule):
        self.rule = rule
        self._fired = None
        load()
        error = ctypes.create_string_buffer(1024)
        self._id = _known["arm"](rule.encode(), error, len(error))
        if self._id < 0:
            raise LayerError("fault \"%s\": %s" % (
                rule, error.value.decode(errors="replace")))

    def __repr__(self):
        return "<Fault %s: fired %d times>" % (self.rule, self.fired)

    @property
    def fired(self):
        """How often it has fired."""
        return _known["fired"](self._id) if self._fired is None else \
            self._fired

    def disarm(self):
        """The count stays."""
        if self._fired is None:
            self._fired = self.fired
            _known["disarm"](self._id)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.disarm()


def program():
    """The openclaw program: OPENCLAW, that of the same prefix or build tree,
    or of PATH; None."""
    given = os.environ.get("OPENCLAW")
    if given:
        return given
    folder = os.path.dirname(os.path.abspath(__file__))
    for _ in range(4):
        folder = os.path.dirname(folder)
        for path in ("openclaw", "bin/openclaw"):
            path = os.path.join(folder, path)
            if os.path.isfile(path) and os.access(path, os.X_OK):
                return path
    return shutil.which("openclaw")
