"""A Debian guest in QEMU with FrameFast installed, and cameras that can be plugged into it."""
