/// `GET /v1/cameras/{id}/live.mjpeg` and `live.jpg`: how to look through the lens.
public struct LiveViewRequest: WireRequest {
    /// Frames a second that may be asked for: more than cameras deliver.
    public static let rateRange = 1...60
    /// Frames a second when nobody says: smooth for the eye, and a third of a camera's thread.
    public static let usualRate = 15
    /// Sizes that may be asked for; a camera without such a choice sends its own.
    public static let sizes = ["large", "medium", "small"]

    /// What asking for frames may be refused with.
    static let errors: [ErrorReply.Code] = [.conflict, .unsupported, .cameraFailed]

    /// Most frames a second.
    public var rate: Int?
    /// Size of frames; what the camera is set to when left out.
    public var size: String?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.rate, "Most frames a second",
                range: Int64(rateRange.lowerBound)...Int64(rateRange.upperBound), standard: usualRate),
            .init(CodingKeys.size, "Size of frames, where the camera has a choice", examples: sizes),
        ]
    }

    /// Creates a request.
    public init(rate: Int? = nil, size: String? = nil) {
        self.rate = rate
        self.size = size
    }

    /// The request, when there is such a size.
    public func checked() throws(ControlError) -> Self {
        guard let size, !Self.sizes.contains(size) else { return self }
        throw ControlError(
            .badRequest, "cannot read the query: no live view is '\(size)'",
            nextStep: "Say \(Self.sizes.joined(separator: ", ")).")
    }
}
