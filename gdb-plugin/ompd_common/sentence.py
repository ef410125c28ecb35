# SPDX-License-Identifier: Apache-2.0
"""Errors of the libraries as sentences, for GDB and lldb."""


def sentence(text):
    """TEXT as one sentence: one line, a capital letter, a full stop."""
    text = " ".join(str(text).split())
    if not text:
        return ""
    if text[0].islower() and not text.startswith(("ompd", "lib")):
        text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?" else text + "."
