#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes configure.
cd "$(dirname "$0")" && exec autoreconf --force --install
