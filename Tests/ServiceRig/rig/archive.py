"""The Debian archive that this machine's apt uses."""

import urllib.parse

from .place import Cannot, run

_FIELDS = ("ORIGIN", "RELEASE", "COMPONENT", "REPO_URI")
_OTHER_RELEASES = ("-security", "-updates", "-backports")
# Schemes that debootstrap understands.
_SCHEMES = ("http", "https", "file")
# The settings of apt that are copied to new root file systems: proxies, retries, and whether old lists are accepted.
_SETTINGS = ("Acquire::http::", "Acquire::https::", "Acquire::Check-", "Acquire::Retries", "Acquire::Max-")
# Settings that refer to a program or a file of this machine.
_LOCAL = ("ProxyAutoDetect", "Proxy-Auto-Detect", "CaInfo", "SslCert", "SslKey")


def mirror(targets: str) -> str:
    """Returns the address of the archive, from the output of `apt-get indextargets` that `index_targets` returns.

    Raises `Cannot` if apt has no Debian archive.
    """
    for line in targets.splitlines():
        origin, release, component, address = line.split("\t")
        if origin != "Debian" or component != "main" or release.endswith(_OTHER_RELEASES):
            continue
        if urllib.parse.urlsplit(address).scheme in _SCHEMES:
            return address.rstrip("/")
    raise Cannot("apt on this machine has no lists of a Debian archive: run 'sudo apt-get update', then try again")


def settings(dump: str) -> list[str]:
    """Returns the settings for apt in new root file systems, from the output of `apt-config dump`."""
    lines = [line for line in dump.splitlines() if line.startswith(_SETTINGS) and not line.endswith(' "";')]
    return [line for line in lines if not any(word.lower() in line.lower() for word in _LOCAL)]


def proxies(lines: list[str]) -> dict[str, str]:
    """Returns the environment variables for debootstrap that match these settings."""
    found = {}
    for line in lines:
        name, value = line.rstrip(";").split(" ", 1)
        if name in ("Acquire::http::Proxy", "Acquire::https::Proxy"):
            found[f"{name.split('::')[1]}_proxy"] = value.strip('"')
    return found


def index_targets() -> str:
    """Returns apt's index targets, one per line."""
    form = "\t".join(f"$({field})" for field in _FIELDS)
    return run("apt-get", "indextargets", "--format", form, "Created-By: Packages")


def dump() -> str:
    """Returns the settings of apt."""
    return run("apt-config", "dump")
