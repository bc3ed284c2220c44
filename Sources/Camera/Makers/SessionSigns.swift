public import FrameFastModel

/// How an open session tells in which mode a maker's camera is.
public struct SessionSigns: Codable, Hashable, Sendable {
    /// Storages by which a mode is known.
    public struct Storages: Codable, Hashable, Sendable {
        /// Their labels, in lower case; one of them is enough.
        public let labels: [String]
        /// The mode.
        public let mode: CameraMode
    }

    /// Words in the driver's summary, one of which proves that it can be tethered; `nil` for any of ``captureWords``.
    public let proof: [String]?
    /// The mode when nothing else tells.
    public let otherwise: CameraMode
    /// Modes known from the descriptors that hold although the session proves nothing; `nil` for none.
    public let keeps: [CameraMode]?
    /// What the storages tell; `nil` for nothing.
    public let storages: Storages?
    /// How it is known.
    public let confidence: Confidence

    /// What holds for a maker that has no signs of its own.
    static let usual = SessionSigns(
        proof: nil, otherwise: .mtp, keeps: [.tether], storages: nil, confidence: .source)
    /// What holds for a maker that is not known: whatever it is, it speaks PTP.
    static let stranger = SessionSigns(
        proof: nil, otherwise: .ptp, keeps: nil, storages: nil, confidence: .source)

    /// The driver's words for a camera that can be released from here (libgphoto2 2.5.30, camlibs/ptp2/library.c, locale C).
    static let captureWords = [
        "Generic Image Capture", "Sony Capture", "Canon Capture", "Canon EOS Capture", "Nikon Capture",
        "Olympus E XML Capture",
    ]

    /// The mode of a session.
    ///
    /// - Parameter before: The mode by the descriptors.
    func mode(of session: SessionFacts, after before: CameraMode) -> CameraMode {
        if (proof ?? Self.captureWords).contains(where: { session.summary.contains($0) }) { return .tether }
        let labels = Set(session.storages.map { $0.label.lowercased() })
        if let storages, !labels.isDisjoint(with: storages.labels) { return storages.mode }
        return keeps?.contains(before) == true ? before : otherwise
    }
}
