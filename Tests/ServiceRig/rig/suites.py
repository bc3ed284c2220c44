"""The Debian releases of the guests, each with the libgphoto2 of its archive."""
import dataclasses

# The guest has no network, so the image must contain all dependencies of the package.
COMMON = """
    linux-image-amd64 systemd systemd-sysv libpam-systemd udev dbus dbus-user-session polkitd openssh-server openssh-client openssh-sftp-server
    kmod iproute2 procps adduser passwd sudo ca-certificates sqlite3 netcat-openbsd
    gphoto2 libusb-1.0-0 libsqlite3-0 libjpeg62-turbo liblcms2-2 libseccomp2
    gvfs gvfs-backends gvfs-daemons libglib2.0-bin
    dosfstools exfatprogs exfat-fuse ntfs-3g
""".split()


@dataclasses.dataclass(frozen=True)
class Suite:
    """A release of Debian."""
    name: str
    number: int
    # Package names that differ between releases: Debian 13 renamed libraries with 64-bit times.
    libraries: tuple

    @property
    def title(self):
        return f"Debian {self.number}"

    @property
    def packages(self):
        return [*COMMON, *self.libraries]


SUITES = {suite.name: suite for suite in [
    Suite("bookworm", 12, ("libgphoto2-6", "libgphoto2-port12", "libcurl4")),
    Suite("trixie", 13, ("libgphoto2-6t64", "libgphoto2-port12t64", "libcurl4t64")),
]}


def suites(word):
    """Returns the releases for the value of --suite: one release, or all."""
    return list(SUITES) if word == "all" else [word]
