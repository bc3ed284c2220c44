public import FrameFastModel

/// The facts of an open PTP session that indicate the mode of a maker's camera.
public struct SessionIndicators: Codable, Hashable, Sendable {
    /// Storages that indicate a mode.
    public struct Storages: Codable, Hashable, Sendable {
        /// The labels in lower case. A single matching label is sufficient.
        public let labels: [String]
        /// The mode.
        public let mode: CameraMode
    }

    /// The phrases in the driver's summary that each prove tethering, or `nil` for ``captureWords``.
    public let proof: [String]?
    /// The mode in all other cases.
    public let otherwise: CameraMode
    /// The modes from the descriptors that stay valid if the session indicates no mode. `nil` means no modes.
    public let keeps: [CameraMode]?
    /// The storages that indicate a mode, or `nil` if storages do not indicate the mode.
    public let storages: Storages?
    /// The source of these facts.
    public let confidence: Confidence

    /// The default for a maker without specific facts.
    static let usual = SessionIndicators(
        proof: nil, otherwise: .mtp, keeps: [.tether], storages: nil, confidence: .source)
    /// The default for an unknown maker whose camera uses PTP.
    static let unknownMaker = SessionIndicators(
        proof: nil, otherwise: .ptp, keeps: nil, storages: nil, confidence: .source)

    /// The driver's phrases for a camera whose shutter the computer can release (libgphoto2 2.5.30,
    /// camlibs/ptp2/library.c, locale C).
    static let captureWords = [
        "Generic Image Capture", "Sony Capture", "Canon Capture", "Canon EOS Capture", "Nikon Capture",
        "Olympus E XML Capture",
    ]

    /// Returns the mode of a camera.
    ///
    /// - Parameter before: The mode based on the descriptors.
    func mode(of session: SessionFacts, after before: CameraMode) -> CameraMode {
        if (proof ?? Self.captureWords).contains(where: { session.summary.contains($0) }) { return .tether }
        let labels = Set(session.storages.map { $0.label.lowercased() })
        if let storages, !labels.isDisjoint(with: storages.labels) { return storages.mode }
        return keeps?.contains(before) == true ? before : otherwise
    }
}
