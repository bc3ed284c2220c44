"""The Debian releases on which the package is tested."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Suite:
    """A release of Debian, with the libgphoto2 of its archive."""

    name: str
    title: str


# Oldest first, because the package is built on the first one.
SUITES = {
    suite.name: suite
    for suite in (Suite("bookworm", "Debian 12"), Suite("trixie", "Debian 13"), Suite("forky", "Debian testing"))
}
