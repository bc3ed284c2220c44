/// `GET /v1/cameras/{id}/live.mjpeg` and `live.jpg`: the frame rate and size of live view.
public struct LiveViewRequest: WireRequest {
    /// The allowed frame rates, in frames a second. No camera reaches the maximum.
    public static let rateRange = 1...60
    /// The default frame rate, in frames a second. Live view looks smooth at this rate, and occupies the
    /// worker's driver thread for a third of the time.
    public static let usualRate = 15
    /// The allowed sizes. A camera that offers no choice sends frames in its own size.
    public static let sizes = ["large", "medium", "small"]

    /// The errors of requests for frames.
    static let errors: [ErrorReply.Code] = [.conflict, .unsupported, .cameraFailed]

    /// The maximum frame rate, in frames a second, or `nil` for ``usualRate``.
    public var rate: Int?
    /// The size of frames, or `nil` for the camera's current size.
    public var size: String?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.rate, "Maximum frames per second",
                range: Int64(rateRange.lowerBound)...Int64(rateRange.upperBound), defaultValue: usualRate),
            .init(CodingKeys.size, "Frame size, if the camera offers a choice", examples: sizes),
        ]
    }

    /// Creates a request.
    public init(rate: Int? = nil, size: String? = nil) {
        self.rate = rate
        self.size = size
    }

    /// Returns the request, or throws if the size is unknown.
    public func checked() throws(ControlError) -> Self {
        guard let size, !Self.sizes.contains(size) else { return self }
        throw ControlError(
            .badRequest, "cannot read the query: '\(size)' is not a live view size",
            nextStep: "Use one of \(Self.sizes.joined(separator: ", ")).")
    }
}
