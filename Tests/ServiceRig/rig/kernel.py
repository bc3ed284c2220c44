"""The guest's kernel for QEMU: an ELF file that QEMU starts directly, and a minimal initrd."""
import lzma, pathlib, shutil, stat, subprocess, zlib
from .place import Cannot, run

# The modules for the root file system, and for the network of the forwarded port.
MODULES = ["virtio_pci", "virtio_blk", "virtio_net", "ext4"]
# Modules that some kernels need and other kernels have built in.
OPTIONAL = ["crc32c_generic"]

INIT = """#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys /dev /new
/bin/busybox mount -t devtmpfs none /dev
/bin/busybox mount -t proc none /proc
while read module; do /bin/busybox insmod "/modules/$module"; done < /modules/order
n=0
until [ -b /dev/vda ] || [ $n -ge 600 ]; do n=$((n + 1)); /bin/busybox usleep 50000; done
/bin/busybox ip link set lo up
/bin/busybox ip addr add 10.0.2.15/24 dev eth0
/bin/busybox ip link set eth0 up
/bin/busybox mount -t ext4 -o rw,relatime /dev/vda /new || exec /bin/busybox sh
/bin/busybox umount /proc
/bin/busybox mount --move /dev /new/dev
exec /bin/busybox switch_root /new /sbin/init
"""


def unpack_zstd(data):
    """Returns the first frame of zstd data. Python 3.11 has no zstd, and the zstd program reports an error for data after the frame."""
    try:
        return subprocess.run(["zstd", "-dc"], input=data, capture_output=True).stdout
    except FileNotFoundError:
        raise Cannot("cannot find zstd, which unpacks this kernel: run scripts/prepare --rig") from None


# The first bytes of compressed data, and its decompressor. Each decompressor ignores data after the end.
UNPACK = [
    (b"\xfd7zXZ\0", lambda data: lzma.LZMADecompressor().decompress(data)),
    (b"\x1f\x8b\x08", lambda data: zlib.decompressobj(wbits=31).decompress(data)),
    (b"\x28\xb5\x2f\xfd", unpack_zstd),
]


def plain(data):
    """Returns the bytes of a module. Debian 13 compresses modules, and busybox loads only uncompressed files."""
    return next((unpack(data) for magic, unpack in UNPACK if data.startswith(magic)), data)


def uncompressed(vmlinuz):
    """Returns the ELF kernel inside a bzImage. A guest in software emulation would take some seconds to unpack the bzImage."""
    data = pathlib.Path(vmlinuz).read_bytes()
    for magic, unpack in UNPACK:
        at = data.find(magic)
        while at >= 0:
            try:
                kernel = unpack(data[at:])
                if kernel.startswith(b"\x7fELF"):
                    return kernel
            except (lzma.LZMAError, zlib.error, OSError, EOFError):
                pass
            at = data.find(magic, at + 1)
    raise Cannot(f"cannot find the kernel in {vmlinuz}: its compression is unknown to this rig")


def in_order(folder, names):
    """Returns the files of the modules and their dependencies, in load order."""
    needs = {}
    for line in (folder / "modules.dep").read_text().splitlines():
        file, _, others = line.partition(":")
        needs[file] = others.split()
    by_name = {pathlib.Path(file).name.split(".")[0].replace("-", "_"): file for file in needs}
    builtin = {pathlib.Path(line).name.split(".")[0].replace("-", "_")
               for line in (folder / "modules.builtin").read_text().splitlines()}
    order = []
    for name in names:
        if name in builtin or name in OPTIONAL and name not in by_name:
            continue
        if name not in by_name:
            raise Cannot(f"the guest's kernel has no module {name}: the rig needs Debian's linux-image-amd64, not a cloud kernel or a custom kernel")
        for file in [*reversed(needs[by_name[name]]), by_name[name]]:
            if file not in order:
                order.append(file)
    return order


def initrd(modules, target):
    """Writes an initrd that finds the disk and sets the network up."""
    tree = target.parent / "initrd"
    shutil.rmtree(tree, ignore_errors=True)
    (tree / "bin").mkdir(parents=True)
    (tree / "modules").mkdir()
    shutil.copy("/bin/busybox", tree / "bin" / "busybox")
    (tree / "init").write_text(INIT)
    (tree / "init").chmod(stat.S_IRWXU)
    names = []
    for file in in_order(modules, [*MODULES, *OPTIONAL]):
        names.append(pathlib.Path(file).name.split(".ko")[0] + ".ko")
        (tree / "modules" / names[-1]).write_bytes(plain((modules / file).read_bytes()))
    (tree / "modules" / "order").write_text("".join(f"{name}\n" for name in names))
    listing = "\n".join(str(path.relative_to(tree)) for path in sorted(tree.rglob("*"))) + "\n"
    archive = run("cpio", "--quiet", "-o", "-H", "newc", "-R", "0:0", cwd=tree, input=listing.encode(), text=False)
    target.write_bytes(archive)
    shutil.rmtree(tree)
