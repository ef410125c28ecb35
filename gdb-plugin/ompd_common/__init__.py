# SPDX-License-Identifier: Apache-2.0
"""What the extensions of GDB and lldb share. Nothing here needs the module gdb or lldb."""
