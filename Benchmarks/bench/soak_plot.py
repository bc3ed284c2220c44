"""The day as a picture: a small graph for each line that was watched, drawn without a library."""
from xml.sax.saxutils import escape

from . import studio

# Lines that share a graph, from the top left: title, names in a sample.
GRAPHS = [
    ("Memory of the service", ["service_rss_kib", "service_pss_kib"]),
    ("Memory of the largest worker", ["worker_rss_kib", "worker_pss_kib"]),
    ("Open descriptors", ["service_handles", "worker_handles"]),
    ("Threads", ["service_threads", "worker_threads"]),
    ("Ledger", ["ledger_bytes"]),
    ("Write-ahead log", ["wal_bytes"]),
    ("Photos on the disk", ["photos_bytes"]),
    ("Photos", ["taken", "saved", "delivered", "doubled"]),
]
TITLES = {
    "service_rss_kib": "service, RSS", "service_pss_kib": "service, PSS", "worker_rss_kib": "worker, RSS",
    "worker_pss_kib": "worker, PSS", "service_handles": "service, descriptors", "worker_handles": "worker, descriptors",
    "service_threads": "service, threads", "worker_threads": "worker, threads", "ledger_bytes": "ledger",
    "wal_bytes": "write-ahead log", "photos_bytes": "photos on the disk",
}
COLOURS = ["#1f5fa8", "#c2571a", "#2c8a4b", "#8a2c6b"]
WIDTH, HEIGHT, LEFT, TOP, GAP = 420, 150, 62, 78, 56
COLUMNS = 2


def title(name):
    return TITLES.get(name, name)


def show(name, value):
    """A figure with its unit."""
    if name.endswith("_kib"):
        return f"{value / 1024:.1f} MiB"
    if name.endswith("_bytes"):
        return f"{value / (1 << 20):.1f} MiB"
    return f"{value:.0f}"


def draw(rows, caption, source, judged_from):
    columns = WIDTH + LEFT + 24
    lines = -(-len(GRAPHS) // COLUMNS)
    size = f"{COLUMNS * columns} {TOP + lines * (HEIGHT + GAP)}"
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" font-family="sans-serif" font-size="11">',
             f'<title>{escape(caption)}</title>', '<rect width="100%" height="100%" fill="#ffffff"/>']
    first, rest = caption.split(": ", 1)
    parts.append(f'<text x="{LEFT}" y="20" font-size="14">{escape(first)}</text>')
    for line, text in enumerate([rest, source]):
        parts.append(f'<text x="{LEFT}" y="{36 + 15 * line}" fill="#555555">{escape(text)}</text>')
    for number, (name, series) in enumerate(GRAPHS):
        x, y = LEFT + number % COLUMNS * columns, TOP + number // COLUMNS * (HEIGHT + GAP)
        parts += graph(rows, name, series, x, y, judged_from)
    return "\n".join([*parts, "</svg>", ""])


def graph(rows, name, series, x, y, judged_from):
    most = max((row[one] for row in rows for one in series if row[one] is not None), default=0) * 1.1 or 1
    across, up = WIDTH / studio.HOURS, HEIGHT / most
    parts = [f'<g transform="translate({x} {y})">', f'<text y="-6" font-size="12">{escape(name)}</text>']
    # The part in which a line has to be flat.
    parts.append(f'<rect x="{judged_from * across:.0f}" width="{(studio.HOURS - judged_from) * across:.0f}"'
                 f' height="{HEIGHT}" fill="#f2f4f7"/>')
    for hour, faults in studio.FAULTS.items():
        at = (hour + 0.25) * across
        parts.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y2="{HEIGHT}" stroke="#dddddd"><title>'
                     f'{escape(", ".join(faults))}</title></line>')
    for part in (0, 0.5, 1):
        value = most / 1.1 * part
        at = HEIGHT - value * up
        parts.append(f'<text x="-4" y="{at + 4:.1f}" text-anchor="end" fill="#555555">{show(series[0], value)}</text>')
    for hour in range(0, studio.HOURS, 4):
        parts.append(f'<text x="{hour * across:.1f}" y="{HEIGHT + 13}" fill="#555555">{studio.on_the_wall(hour):%H:%M}</text>')
    for place, (one, colour) in enumerate(zip(series, COLOURS)):
        points = " ".join(f"{row['hour'] * across:.1f},{HEIGHT - row[one] * up:.1f}" for row in rows if row[one] is not None)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.3"/>')
        parts.append(f'<text x="{place * 120}" y="{HEIGHT + 28}" fill="{colour}">{escape(title(one))}</text>')
    parts.append(f'<path d="M0 0V{HEIGHT}H{WIDTH}" fill="none" stroke="#888888"/>')
    return [*parts, "</g>"]
