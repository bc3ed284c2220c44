/// A registry of the camera bodies in the ledger. The registry identifies the body of each camera that
/// connects.
///
/// Maker and serial number identify a body. Bodies that are connected at the same time are different bodies,
/// even if they report the same serial number. If the serial number is shared or missing, the photos on the
/// card identify the body. Without matching photos, the location (USB port or network address) identifies the
/// body.
public struct CameraBodies: Hashable, Sendable {
    /// A camera that connects, before its body is identified.
    public struct ConnectingCamera: Hashable, Sendable {
        /// The maker, as the camera reports it.
        public var maker: String
        /// The model, as the camera reports it.
        public var model: String
        /// The serial number, as the camera reports it.
        public var serial: String
        /// The location: the USB port's path, or the network address.
        public var place: String
        /// The camera's id. The registry derives the identity of a new body from this id, if serial
        /// number, photos and location do not identify a stored body.
        public var id: CameraID

        /// Creates a camera that connects.
        public init(maker: String, model: String, serial: String, place: String, id: CameraID) {
            self.maker = maker
            self.model = model
            self.serial = serial
            self.place = place
            self.id = id
        }

        /// The serial number, or `nil` if it cannot identify a body. Some makers report only zeros for all
        /// their cameras.
        public var meaningfulSerial: String? { CameraBodies.meaningful(serial) }

        private var makerWord: String {
            maker.lowercased().split { !$0.isLetter }.first.map(String.init) ?? "camera"
        }

        /// A key that is equal for bodies with the same maker and serial number. Without a usable serial
        /// number, bodies with the same maker and model have equal keys.
        fileprivate var family: String {
            meaningfulSerial.map { "\(makerWord)-\($0)" } ?? "\(makerWord) \(model) without a serial number"
        }

        /// The identity of the body if no other body has the same ``family``.
        fileprivate var ownIdentity: BodyID {
            BodyID(rawValue: meaningfulSerial == nil ? id.rawValue : family)
        }
    }

    private struct StoredBody: Hashable {
        var family: String
        var place: String
    }

    private var storedBodies: [BodyID: StoredBody] = [:]
    private var connected: [BodyID: ConnectingCamera] = [:]

    /// Creates an empty registry.
    public init() {}

    /// Returns a serial number that can identify a body, or `nil` for one that is empty or all zeros.
    public static func meaningful(_ serial: String) -> String? {
        serial.contains { ($0.isLetter || $0.isNumber) && $0 != "0" } ? serial : nil
    }

    /// Adds a body that was connected earlier.
    public mutating func addKnownBody(_ identity: BodyID, _ body: ConnectingCamera) {
        storedBodies[identity] = StoredBody(family: body.family, place: body.place)
    }

    /// Returns the stored bodies that could be this camera, except connected bodies.
    public func candidates(_ camera: ConnectingCamera) -> [BodyID] {
        storedBodies.filter { $0.value.family == camera.family && connected[$0.key] == nil }.keys.sorted()
    }

    /// Returns whether the photos on the card could change the identification. For example, a person may have
    /// swapped the ports of two stored bodies with the same serial number.
    public func needsEvidence(_ camera: ConnectingCamera) -> Bool {
        guard let first = candidates(camera).first else { return false }
        return storedBodies.values.count { $0.family == camera.family } > 1 || identify(camera, [:]) != first
    }

    /// Identifies a camera, and marks its body as connected.
    ///
    /// - Parameters:
    ///   - evidence: For each candidate, the number of photos on this card that the ledger has for the
    ///     candidate.
    ///   - others: Candidates that a comparison of the photos' bytes has ruled out.
    /// - Returns: The body's identity in the ledger.
    public mutating func connect(
        _ camera: ConnectingCamera, evidence: [BodyID: Int] = [:], others: Set<BodyID> = []
    ) -> BodyID {
        let identity = identify(camera, evidence, others)
        connected[identity] = camera
        addKnownBody(identity, camera)
        return identity
    }

    /// Marks a body as disconnected.
    public mutating func disconnect(_ identity: BodyID) { connected[identity] = nil }

    /// The ids of connected cameras, grouped by ``ConnectingCamera/family``. Omits groups of one camera.
    public var sharedSerials: [[CameraID]] {
        Dictionary(grouping: connected.values, by: \.family).values.filter { $0.count > 1 }
            .map { $0.map(\.id).sorted() }.sorted { ($0.first ?? "") < ($1.first ?? "") }
    }

    /// Returns the other stored bodies with the same ``ConnectingCamera/family``. These bodies report the
    /// same serial number, or all report no usable serial number.
    public func sharedSerials(of identity: BodyID) -> Set<BodyID> {
        guard let family = storedBodies[identity]?.family else { return [] }
        return Set(storedBodies.filter { $0.value.family == family && $0.key != identity }.keys)
    }

    private func identify(
        _ camera: ConnectingCamera, _ evidence: [BodyID: Int], _ others: Set<BodyID> = []
    ) -> BodyID {
        let candidates = candidates(camera).filter { !others.contains($0) }
        let isOnly = storedBodies.values.count { $0.family == camera.family } == 1
        // If only one stored body has this serial number, the location does not matter.
        if camera.meaningfulSerial != nil, isOnly, let only = candidates.first { return only }
        let most = candidates.map { evidence[$0] ?? 0 }.max() ?? 0
        let likeliest = candidates.filter { evidence[$0] ?? 0 == most }
        if let samePlace = likeliest.first(where: { storedBodies[$0]?.place == camera.place }) {
            return samePlace
        }
        if most > 0, let first = likeliest.first { return first }
        let own = BodyID(rawValue: camera.id.rawValue)
        if camera.meaningfulSerial == nil, likeliest.contains(own) { return own }
        return unusedIdentity(camera)
    }

    /// Returns an identity that no stored body has. If two bodies shared an identity, the service would treat
    /// photos of the new body as already fetched.
    private func unusedIdentity(_ camera: ConnectingCamera) -> BodyID {
        let own = camera.ownIdentity
        guard storedBodies[own] != nil else { return own }
        var number = 2
        func numbered() -> BodyID { BodyID(rawValue: "\(own)#\(number)") }
        while storedBodies[numbered()] != nil { number += 1 }
        return numbered()
    }
}
