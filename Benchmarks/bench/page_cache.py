"""Fills free memory with page cache. Afterwards the host has allocated almost every page.

A virtual machine returns free pages to its host. The first write to such a page takes up to ten times as long as a
write to an allocated page: 24 ms instead of 2.5 ms for 8 MB. Without a filled cache, only the first program of a
measurement would be slowed down. Therefore free memory is filled with page cache before the measurement. All programs
then receive pages from this cache.
"""
import os, pathlib, re, time

from .machine import SCRATCH

LEFT_FREE_KIB = 256 << 10  # more than the kernel's own reserve; filling all memory would evict the programs' cache
SECONDS_MAX = 60  # in this time, a computer fills more memory than the loads write
PIECE_BYTES = 1 << 20


def free_kib():
    return int(re.search(r"MemFree:\s+(\d+)", pathlib.Path("/proc/meminfo").read_text())[1])


class PageCache:
    """Reads a sparse file without data. Each page becomes clean page cache, without disk access."""

    def __init__(self):
        self.path = SCRATCH / "bench-cache"
        self.file = self.path.open("w+b")
        self.path.unlink()  # the kernel deletes the file when this program ends
        self.offset = 0
        self.buffer = bytearray(PIECE_BYTES)

    def fill(self):
        """Fills the free memory. Returns the number of filled bytes and the duration in seconds."""
        start, before = time.monotonic(), self.offset
        while free_kib() > LEFT_FREE_KIB and time.monotonic() - start < SECONDS_MAX:
            os.ftruncate(self.file.fileno(), self.offset + (64 << 20))
            for _ in range(64):
                os.preadv(self.file.fileno(), [self.buffer], self.offset)
                self.offset += PIECE_BYTES
        return self.offset - before, time.monotonic() - start
