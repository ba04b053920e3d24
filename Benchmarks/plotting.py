# SPDX-License-Identifier: MIT
"""Plots as SVG, each for a light page and for a dark one."""

import multiprocessing
from itertools import chain, cycle

OURS = ["#cf222e", "#fb8f24", "#bf4b8a"]
OTHERS = ["#8c959f", "#1f77b4", "#2ca02c", "#9467bd", "#17becf", "#8c564b", "#bcbd22", "#57606a", "#4ac26b"]


def bars(path, alt, label, groups):
    """Grouped bars: `groups` are values by name, by what the legend calls them. Returns the lines that show it."""
    return apart(draw_bars, path, alt, label, groups)


def curves(path, alt, across, up, steps, labels=None):
    """Lines in two logarithmic scales: `steps` are values by name, by the place on the x axis, which is its own
    label unless it is given one. Returns the lines that show it."""
    return apart(draw_curves, path, alt, across, up, steps, labels or [f"{place:,}" for place in steps])


def apart(draw, path, alt, *arguments):
    """In a process of its own: what is measured later would share its memory with matplotlib."""
    process = multiprocessing.Process(target=draw, args=(path, *arguments))
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit("bench: a plot failed")
    return [
        "<picture>",
        f'  <source media="(prefers-color-scheme: dark)" srcset="{path.name}-dark.svg">',
        f'  <img alt="{alt}" src="{path.name}-light.svg">',
        "</picture>",
        "",
    ]


def each_page(path, draw):
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as pyplot

    for suffix, ink in {"light": "#1f2328", "dark": "#e6edf3"}.items():
        style = {"text.color": ink, "axes.labelcolor": ink, "xtick.color": ink, "ytick.color": ink,
                 "axes.edgecolor": ink, "svg.hashsalt": "duet", "svg.fonttype": "none"}
        with pyplot.rc_context(style):
            figure, axes = pyplot.subplots(figsize=(9, 5), layout="constrained")
            draw(axes)
            figure.savefig(f"{path}-{suffix}.svg", transparent=True, metadata={"Date": None})
            pyplot.close(figure)


def plain(name):
    return name.replace("`", "")


def draw_bars(path, label, groups):
    names = list(next(iter(groups.values())))

    def draw(axes):
        height = 0.8 / len(groups)
        for index, (legend, values) in enumerate(groups.items()):
            places = [place + index * height for place in range(len(values))]
            axes.barh(places, values.values(), height, label=legend)
        axes.set_yticks([place + 0.4 - height / 2 for place in range(len(names))], map(plain, names))
        axes.invert_yaxis()
        axes.set_xlabel(label)
        axes.legend(frameon=False)

    each_page(path, draw)


def draw_curves(path, across, up, steps, labels):
    names = dict.fromkeys(chain.from_iterable(reversed(steps.values())))
    names = [name for name in names if not name.endswith("again")]

    def draw(axes):
        ours, others = cycle(OURS), cycle(OTHERS)
        for name in names:
            places = [place for place, values in steps.items() if name in values]
            is_ours = name.startswith("Duet")
            axes.loglog(places, [steps[place][name] for place in places], label=plain(name),
                        color=next(ours if is_ours else others), linewidth=2.5 if is_ours else 1.2,
                        marker="o", markersize=3)
        axes.set_xticks(list(steps), labels)
        axes.minorticks_off()
        axes.set_xlabel(across)
        axes.set_ylabel(up)
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))

    each_page(path, draw)
