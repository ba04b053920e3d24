# SPDX-License-Identifier: MIT
"""Plots as SVG, each for a light page and for a dark one."""

import multiprocessing


def bars(path, label, groups):
    """Grouped bars: `groups` are values by name, by what the legend calls them."""
    apart(draw_bars, path, label, groups)


def curves(path, across, up, steps):
    """Lines in two logarithmic scales: `steps` are values by name, by the place on the x axis."""
    apart(draw_curves, path, across, up, steps)


def apart(draw, *arguments):
    """In a process of its own: what is measured later would share its memory with matplotlib."""
    process = multiprocessing.Process(target=draw, args=arguments)
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit("bench: a plot failed")


def each_page(path, draw):
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as pyplot

    for suffix, ink in {"light": "#1f2328", "dark": "#e6edf3"}.items():
        style = {"text.color": ink, "axes.labelcolor": ink, "xtick.color": ink, "ytick.color": ink,
                 "axes.edgecolor": ink, "svg.hashsalt": "duet", "svg.fonttype": "none"}
        with pyplot.rc_context(style):
            figure, axes = pyplot.subplots(figsize=(8, 5), layout="constrained")
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


def draw_curves(path, across, up, steps):
    names = dict.fromkeys(name for values in reversed(steps.values()) for name in values)

    def draw(axes):
        for index, name in enumerate(names):
            places = [place for place, values in steps.items() if name in values]
            ours = name.startswith("Duet")
            axes.loglog(places, [steps[place][name] for place in places], label=plain(name), color=f"C{index % 10}",
                        marker="o", markersize=3, linewidth=2.5 if ours else 1,
                        linestyle="solid" if index < 10 else "dashed")
        axes.set_xlabel(across)
        axes.set_ylabel(up)
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))

    each_page(path, draw)
