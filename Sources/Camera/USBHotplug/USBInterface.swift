/// An interface of a USB device, for example a camera's PTP, card or webcam interface.
public struct USBInterface: Hashable, Sendable {
    /// `bInterfaceNumber`.
    public var number = 0
    /// `bInterfaceClass`: 6 is still image, 8 mass storage, 14 video, 255 vendor-specific.
    public var classCode: UInt8
    /// `bInterfaceSubClass`.
    public var subclassCode: UInt8
    /// `bInterfaceProtocol`.
    public var protocolCode: UInt8
    /// The kernel driver at the time of the description, or `nil` if no driver was bound. For example
    /// `usb-storage`, or `usbfs` if a program has claimed the interface.
    public var driver: String?
    /// The interrupt endpoint to the computer, or `nil` if it is missing.
    public var interruptEndpoint: USBInterruptEndpoint?

    /// Whether the interface is `06/01/01`: still image capture, PTP.
    public var isStillImage: Bool { (classCode, subclassCode, protocolCode) == (6, 1, 1) }
}

/// An interrupt endpoint. On some Fujifilm cameras, the endpoint is the only indication of the mode.
public struct USBInterruptEndpoint: Hashable, Sendable {
    /// `wMaxPacketSize`, in bytes.
    public var maxPacketBytes: Int
    /// `bInterval`. The unit depends on the device's speed.
    public var interval: Int
}
