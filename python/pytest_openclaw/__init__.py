# SPDX-License-Identifier: Apache-2.0
"""pytest plugin: OpenCL faults in the tests of any program, see plugin.py."""
