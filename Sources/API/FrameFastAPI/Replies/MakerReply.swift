/// One row of the manufacturer picker.
public struct MakerReply: WireValue {
    /// Stable word, for example `canon`.
    public var id: String
    /// The name for people, for example `Canon`.
    public var name: String
    /// One line: which bodies, in a few words.
    public var summary: String
    /// Whether a camera of this maker is on the USB now.
    public var isDetected: Bool
    /// What to do for a cable.
    public var usb: GuidanceReply
    /// What to do for the network; `nil` when these cameras cannot be tethered over it.
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

/// `GET /v1/makers`: detected ones first.
public struct MakersReply: WireValue {
    /// The makers.
    public var makers: [MakerReply]

    /// Creates a reply.
    public init(makers: [MakerReply]) {
        self.makers = makers
    }
}
