"""A Debian guest in QEMU with FrameFast installed, and cameras that are plugged into it."""
