/// A row of the maker picker.
public struct MakerReply: WireValue {
    /// The stable id, for programs. For example `canon`.
    public var id: String
    /// The name for people, for example `Canon`.
    public var name: String
    /// The supported cameras, in one line.
    public var summary: String
    /// Whether a camera of this maker is connected by USB now.
    public var isDetected: Bool
    /// The instructions for a USB cable.
    public var usb: GuidanceReply
    /// The instructions for the network, or `nil` if these cameras cannot be tethered over a network.
    @OrNull public var network: GuidanceReply?

    /// Creates a row.
    public init(
        id: String, name: String, summary: String, isDetected: Bool, usb: GuidanceReply,
        network: GuidanceReply? = nil
    ) {
        self.id = id
        self.name = name
        self.summary = summary
        self.isDetected = isDetected
        self.usb = usb
        self._network = OrNull(wrappedValue: network)
    }
}

/// `GET /v1/makers`: the makers, detected makers first.
public struct MakersReply: WireValue {
    /// The makers.
    public var makers: [MakerReply]

    /// Creates a reply.
    public init(makers: [MakerReply]) {
        self.makers = makers
    }
}
