/// The camera bodies in the ledger and which of them are connected. Identifies a camera that connects.
///
/// A body is identified by maker and serial number. Bodies that are connected at the same time are different
/// bodies, even with the same serial number. Bodies with the same serial number, or without one, are
/// identified by the photos on their cards, and otherwise by their location: USB port or network address.
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
        /// The camera's id, which identifies a camera without a serial number and without other evidence.
        public var id: CameraID

        /// Creates a camera that connects.
        public init(maker: String, model: String, serial: String, place: String, id: CameraID) {
            self.maker = maker
            self.model = model
            self.serial = serial
            self.place = place
            self.id = id
        }

        /// The serial number if it can identify a body, else `nil`. Some makers give all their cameras the
        /// same zeros.
        public var meaningfulSerial: String? { CameraBodies.meaningful(serial) }

        private var makerWord: String {
            maker.lowercased().split { !$0.isLetter }.first.map(String.init) ?? "camera"
        }

        /// The key that bodies share if their own reports cannot tell them apart.
        fileprivate var family: String {
            meaningfulSerial.map { "\(makerWord)-\($0)" } ?? "\(makerWord) \(model) without a serial number"
        }

        /// The identity of the only body of its family.
        fileprivate var ownIdentity: BodyID {
            BodyID(rawValue: meaningfulSerial == nil ? id.rawValue : family)
        }
    }

    private struct Body: Hashable {
        var family: String
        var place: String
    }

    private var known: [BodyID: Body] = [:]
    private var connected: [BodyID: ConnectingCamera] = [:]

    /// Creates an empty registry.
    public init() {}

    /// Returns a serial number that can identify a body, or `nil` for one that is empty or all zeros.
    public static func meaningful(_ serial: String) -> String? {
        serial.contains { ($0.isLetter || $0.isNumber) && $0 != "0" } ? serial : nil
    }

    /// Adds a body that connected earlier.
    public mutating func addKnownBody(_ identity: BodyID, _ body: ConnectingCamera) {
        known[identity] = Body(family: body.family, place: body.place)
    }

    /// Returns the known bodies that are not connected and that a camera may be.
    public func candidates(_ camera: ConnectingCamera) -> [BodyID] {
        known.filter { $0.value.family == camera.family && connected[$0.key] == nil }.keys.sorted()
    }

    /// Returns whether the photos on the card could change the identification. They can if several bodies of
    /// a family are known, because those may have been swapped between ports.
    public func needsEvidence(_ camera: ConnectingCamera) -> Bool {
        guard let first = candidates(camera).first else { return false }
        return known.values.count { $0.family == camera.family } > 1 || identify(camera, [:]) != first
    }

    /// Identifies a camera, and marks its body as connected.
    ///
    /// - Parameters:
    ///   - evidence: The number of photos on the camera's card that each candidate is known to have had.
    ///   - others: Candidates that are ruled out, because their photos have other bytes.
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

    /// Groups of connected cameras, by id, that report the same serial number or no usable one.
    public var sharedSerials: [[CameraID]] {
        Dictionary(grouping: connected.values, by: \.family).values.filter { $0.count > 1 }
            .map { $0.map(\.id).sorted() }.sorted { ($0.first ?? "") < ($1.first ?? "") }
    }

    /// Returns the other known bodies that report the same serial number as this one, or also none.
    public func sharedSerials(of identity: BodyID) -> Set<BodyID> {
        guard let family = known[identity]?.family else { return [] }
        return Set(known.filter { $0.value.family == family && $0.key != identity }.keys)
    }

    private func identify(
        _ camera: ConnectingCamera, _ evidence: [BodyID: Int], _ others: Set<BodyID> = []
    ) -> BodyID {
        let candidates = candidates(camera).filter { !others.contains($0) }
        let isOnly = known.values.count { $0.family == camera.family } == 1
        // The only body that ever reported this number keeps its identity at every port.
        if camera.meaningfulSerial != nil, isOnly, let only = candidates.first { return only }
        let most = candidates.map { evidence[$0] ?? 0 }.max() ?? 0
        let likeliest = candidates.filter { evidence[$0] ?? 0 == most }
        if let samePlace = likeliest.first(where: { known[$0]?.place == camera.place }) { return samePlace }
        if most > 0, let first = likeliest.first { return first }
        let own = BodyID(rawValue: camera.id.rawValue)
        if camera.meaningfulSerial == nil, likeliest.contains(own) { return own }
        return unusedIdentity(camera)
    }

    /// Returns an unused identity. A new body must not get the identity of another: its photos would count as
    /// known.
    private func unusedIdentity(_ camera: ConnectingCamera) -> BodyID {
        let own = camera.ownIdentity
        guard known[own] != nil else { return own }
        var number = 2
        func numbered() -> BodyID { BodyID(rawValue: "\(own)#\(number)") }
        while known[numbered()] != nil { number += 1 }
        return numbered()
    }
}
