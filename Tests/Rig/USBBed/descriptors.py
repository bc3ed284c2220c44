"""The USB descriptors of a device, generated from an entry of zoo.json (USB 2.0, chapter 9.6)."""

import struct

STILL_IMAGE, MASS_STORAGE, HUB, VIDEO = 6, 8, 9, 14
BULK, INTERRUPT = 2, 3
# The endpoints of the still-image interface, which usbfs.py serves.
BULK_IN, BULK_OUT, INTERRUPT_IN = 0x81, 0x02, 0x83
STRINGS = ("manufacturer", "productName", "serial")


def device_descriptor(entry):
    strings = [index + 1 if entry.get(name) is not None else 0 for index, name in enumerate(STRINGS)]
    return struct.pack(
        "<BBHBBBBHHHBBBB", 18, 1, 0x0200, entry.get("deviceClass", 0), 0, 0, 64, int(entry["vendor"], 16),
        int(entry["product"], 16), 0x0100, *strings, entry.get("configurations", 1))


def endpoint(address, attributes, packet, interval):
    return struct.pack("<BBBBHB", 7, 5, address, attributes, packet, interval)


def endpoints(interface, free):
    """Returns the endpoints that are usual for the interface's class. `free` is the next unused endpoint number."""
    kind = interface["class"]
    packet, interval = interface.get("interrupt", (4, 12) if kind == HUB else (32, 6))
    if kind == STILL_IMAGE:
        return [endpoint(BULK_IN, BULK, 512, 0), endpoint(BULK_OUT, BULK, 512, 0),
                endpoint(INTERRUPT_IN, INTERRUPT, packet, interval)]
    if kind == MASS_STORAGE:
        return [endpoint(0x80 | free, BULK, 512, 0), endpoint(free + 1, BULK, 512, 0)]
    if kind in (HUB, VIDEO) or "interrupt" in interface:
        return [endpoint(0x80 | free, INTERRUPT, packet, interval)]
    return []


def configuration(entry, value):
    body, free = b"", 4
    for number, interface in enumerate(entry["interfaces"]):
        ends = endpoints(interface, free)
        free += len(ends)
        body += struct.pack(
            "<BBBBBBBBB", 9, 4, number, 0, len(ends), interface["class"], interface["subclass"],
            interface["protocol"], 0) + b"".join(ends)
    return struct.pack("<BBHBBBBB", 9, 2, 9 + len(body), len(entry["interfaces"]), value, 0, 0xC0, 1) + body


def descriptors(entry):
    """Returns the content of the `descriptors` file: the device descriptor, then each configuration descriptor."""
    count = entry.get("configurations", 1)
    return device_descriptor(entry) + b"".join(configuration(entry, value + 1) for value in range(count))


def string_descriptor(entry, index):
    """Returns a string descriptor, or None if the device has no string with this index."""
    if index == 0:
        return struct.pack("<BBH", 4, 3, 0x0409)
    text = entry.get(STRINGS[index - 1]) if index <= len(STRINGS) else None
    if text is None:
        return None
    bytes_ = text.encode("utf-16-le")[:252]
    return struct.pack("<BB", 2 + len(bytes_), 3) + bytes_
