public import FrameFastModel

/// The signs in an open session that show the mode of a maker's camera.
public struct SessionSigns: Codable, Hashable, Sendable {
    /// Storages that show a mode.
    public struct Storages: Codable, Hashable, Sendable {
        /// The labels in lower case; one of them is enough.
        public let labels: [String]
        /// The mode.
        public let mode: CameraMode
    }

    /// Phrases in the driver's summary, one of which proves tethering; `nil` for any of ``captureWords``.
    public let proof: [String]?
    /// The mode if no sign is found.
    public let otherwise: CameraMode
    /// The modes from the descriptors that are kept without proof from the session; `nil` for none.
    public let keeps: [CameraMode]?
    /// The storages that show a mode; `nil` for none.
    public let storages: Storages?
    /// The source of these facts.
    public let confidence: Confidence

    /// The signs for a maker without specific signs.
    static let usual = SessionSigns(
        proof: nil, otherwise: .mtp, keeps: [.tether], storages: nil, confidence: .source)
    /// The signs for an unknown maker, whose camera uses PTP.
    static let unknownMaker = SessionSigns(
        proof: nil, otherwise: .ptp, keeps: nil, storages: nil, confidence: .source)

    /// The driver's phrases for a camera whose shutter the computer can release (libgphoto2 2.5.30,
    /// camlibs/ptp2/library.c, locale C).
    static let captureWords = [
        "Generic Image Capture", "Sony Capture", "Canon Capture", "Canon EOS Capture", "Nikon Capture",
        "Olympus E XML Capture",
    ]

    /// Returns the mode of a session.
    ///
    /// - Parameter before: The mode from the descriptors.
    func mode(of session: SessionFacts, after before: CameraMode) -> CameraMode {
        if (proof ?? Self.captureWords).contains(where: { session.summary.contains($0) }) { return .tether }
        let labels = Set(session.storages.map { $0.label.lowercased() })
        if let storages, !labels.isDisjoint(with: storages.labels) { return storages.mode }
        return keeps?.contains(before) == true ? before : otherwise
    }
}
