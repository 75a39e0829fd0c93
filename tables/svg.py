"""Plots as SVG text: scatter of two measurements on logarithmic axes, bars and lines on a logarithmic axis."""

import math
from xml.sax.saxutils import escape

COLOURS = ["#1f6f8b", "#d1603d", "#5b8c3a", "#7d4f9e", "#b8860b", "#555555"]
FONT = 'font-family="sans-serif"'


def document(width, height, parts):
    """A complete SVG file on a white ground."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
    return "\n".join([head, f'<rect width="{width}" height="{height}" fill="white"/>', *parts, "</svg>"]) + "\n"


def text(x, y, content, size=11, anchor="middle", turn=0, colour="#222"):
    """One line of text; `turn` in degrees around its point."""
    rotation = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
    return (f'<text x="{x:.1f}" y="{y:.1f}" {FONT} font-size="{size}" text-anchor="{anchor}" fill="{colour}"{rotation}>'
            f"{escape(content)}</text>")


def line(x1, y1, x2, y2, colour="#ddd", dash=""):
    """A thin line."""
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{dashes}/>'


def legend(names, x, y, across):
    """Coloured squares with the names of the series: `across` pixels apart in one row, or below each other (0)."""
    parts = []
    for i, name in enumerate(names):
        left, base = (x + i * across, y) if across else (x, y + 18 * i)
        parts.append(f'<rect x="{left}" y="{base - 9}" width="10" height="10" fill="{COLOURS[i % len(COLOURS)]}"/>')
        parts.append(text(left + 14, base, name, anchor="start"))
    return parts


def power(exponent):
    """The label of a power of ten."""
    return str(10**exponent) if exponent < 4 else f"1e{exponent}"


def scatter(title, series, x_label, y_label):
    """Series name -> list of (label, x, y). A missing coordinate (None) is drawn as a triangle on the border."""
    left, top, side, right = 70, 40, 460, 150
    values = [v for points in series.values() for _, x, y in points for v in (x, y) if v]
    low = math.floor(math.log10(min(values)))
    high = math.ceil(math.log10(max(values))) + 0.5

    def at(value):
        return (math.log10(value) - low) / (high - low) * side

    parts = [text(left + side / 2, 22, title, 14)]
    parts += legend(series, left + side + 14, top + 12, 0)
    for exponent in range(low, math.ceil(high)):
        offset = at(10.0**exponent)
        parts += [line(left + offset, top, left + offset, top + side), line(left, top + side - offset, left + side, top + side - offset),
                  text(left + offset, top + side + 16, power(exponent)),
                  text(left - 6, top + side - offset + 4, power(exponent), anchor="end")]
    parts.append(line(left, top + side, left + side, top, "#888"))
    factor = math.log10(5) / (high - low) * side
    parts += [line(left, top + side - factor, left + side - factor, top, "#bbb", "4 3"),
              line(left + factor, top + side, left + side, top + factor, "#bbb", "4 3")]
    parts.append(f'<rect x="{left}" y="{top}" width="{side}" height="{side}" fill="none" stroke="#888"/>')
    for i, points in enumerate(series.values()):
        colour = COLOURS[i % len(COLOURS)]
        for label, x, y in points:
            px = left + (at(x) if x else side - 5)
            py = top + side - (at(y) if y else side - 5)
            tip = f"<title>{escape(label)}: {x or 'limit'}, {y or 'limit'}</title>"
            if x and y:
                parts.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="4" fill="{colour}" fill-opacity="0.75">{tip}</circle>')
            else:
                corners = f"{px - 5:.1f},{py + 4:.1f} {px + 5:.1f},{py + 4:.1f} {px:.1f},{py - 5:.1f}"
                parts.append(f'<polygon points="{corners}" fill="{colour}" fill-opacity="0.75">{tip}</polygon>')
    parts += [text(left + side / 2, top + side + 38, x_label, 12), text(20, top + side / 2, y_label, 12, turn=-90)]
    return document(left + side + right, top + side + 56, parts)


def bars(title, groups, names, y_label):
    """Groups: list of (label, [value of each name]); a missing value (None) leaves a dash at the bottom."""
    left, top, height, bar = 64, 60, 300, 7
    step = bar * len(names) + 8
    width = step * len(groups)
    high = math.ceil(math.log10(max(v for _, values in groups for v in values if v)))
    parts = [text(left + width / 2, 22, title, 14)] + legend(names, left, 42, max(120, width // max(1, len(names))))
    for exponent in range(0, high + 1):
        y = top + height - exponent / high * height
        parts += [line(left, y, left + width, y), text(left - 6, y + 4, power(exponent), anchor="end")]
    for g, (label, values) in enumerate(groups):
        x = left + g * step + 4
        parts.append(text(x + step / 2 - 4, top + height + 16, label, 10))
        for i, value in enumerate(values):
            colour = COLOURS[i % len(COLOURS)]
            size = max(1.0, math.log10(value) / high * height) if value else 0
            if value:
                parts.append(f'<rect x="{x + i * bar}" y="{top + height - size:.1f}" width="{bar - 1}" height="{size:.1f}" '
                             f'fill="{colour}"><title>{escape(label)}, {escape(names[i])}: {value:g}</title></rect>')
            else:
                parts.append(text(x + i * bar + bar / 2, top + height - 3, "–", 10, colour=colour))
    parts += [line(left, top + height, left + width, top + height, "#888"),
              text(18, top + height / 2, y_label, 12, turn=-90)]
    return document(left + width + 20, top + height + 34, parts)


def lines(title, series, x_label, y_label):
    """Series name -> list of (x, y), y on a logarithmic axis. A missing y (None) is a triangle on the upper border."""
    left, top, width, height, right = 70, 40, 460, 320, 190
    ys = [y for points in series.values() for _, y in points if y]
    xs = [x for points in series.values() for x, _ in points]
    low, high = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)) + 0.01)
    first, span = min(xs), max(1, max(xs) - min(xs))

    def at(x, y):
        up = (math.log10(y) - low) / (high - low) * height if y else height - 5
        return left + 10 + (x - first) / span * (width - 20), top + height - up

    parts = [text(left + width / 2, 22, title, 14)] + legend(series, left + width + 14, top + 12, 0)
    for exponent in range(low, high + 1):
        y = at(first, 10.0**exponent)[1]
        label = power(exponent) if exponent >= 0 else f"{10.0**exponent:g}"
        parts += [line(left, y, left + width, y), text(left - 6, y + 4, label, anchor="end")]
    labelled = sorted(set(xs))
    for x in labelled[::max(1, len(labelled) // 12)]:
        parts.append(text(at(x, None)[0], top + height + 16, str(x)))
    parts.append(f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#888"/>')
    for i, (name, points) in enumerate(series.items()):
        colour = COLOURS[i % len(COLOURS)]
        path = " ".join(f"{px:.1f},{py:.1f}" for px, py in (at(x, y) for x, y in points if y))
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        for x, y in points:
            px, py = at(x, y)
            tip = f"<title>{escape(name)}, {x}: {f'{y:.3g}' if y else 'limit'}</title>"
            if y:
                parts.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3" fill="{colour}">{tip}</circle>')
            else:
                corners = f"{px - 5:.1f},{py + 4:.1f} {px + 5:.1f},{py + 4:.1f} {px:.1f},{py - 5:.1f}"
                parts.append(f'<polygon points="{corners}" fill="{colour}">{tip}</polygon>')
    parts += [text(left + width / 2, top + height + 38, x_label, 12), text(20, top + height / 2, y_label, 12, turn=-90)]
    return document(left + width + right, top + height + 56, parts)
