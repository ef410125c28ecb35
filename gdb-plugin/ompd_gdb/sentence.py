# SPDX-License-Identifier: Apache-2.0
"""What the users of every debugger read alike."""


def sentence(text):
    """TEXT as one sentence: one line, a capital, a full stop."""
    text = " ".join(str(text).split())
    if not text:
        return ""
    if text[0].islower() and not text.startswith(("ompd", "lib")):
        text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?" else text + "."
