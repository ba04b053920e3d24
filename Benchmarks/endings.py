# SPDX-License-Identifier: MIT
"""How transfers end, and what many of them leave behind. Each is run once, and says one sentence."""

from contestants import bench
from measuring import output


def told(options, title, way, path, count, width):
    url = f"http://127.0.0.1:{options.http}/{path}"
    count = max(width, round(count * options.scale))
    return [f"### {title}", "", output(options, bench(options, way, url, count, width))[0], ""]


def cancels(options):
    """How long a cancelled download takes to return, in the middle of its fastest."""
    return told(options, "Cancelling inside a fast download", "cancel", options.large.name, 200, 1)


def race(options):
    """Cancels that race the end of their request: each has one end, and none stalls."""
    return told(options, "Cancels that race the end", "race", "small", 100_000, 64)


def flat(options):
    """What the process grows by from the first tenth of very many requests to the last."""
    return told(options, "One million requests", "flat", "small", 1_000_000, 64)
