# SPDX-License-Identifier: Apache-2.0
"""The host of libompdinspect over lldb's Python API, by subject; ompd_lldb.py has the command."""
