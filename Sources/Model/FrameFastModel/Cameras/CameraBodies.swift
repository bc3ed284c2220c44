/// The camera bodies that the ledger knows, and which of them are connected: decides who a camera is that connects.
///
/// A body is known by maker and serial number. Bodies that are connected at the same time are different ones whatever
/// they give as a serial number; bodies that give the same, or none, are told apart by what is on their cards, and where
/// that says nothing by where they are: port or address.
public struct CameraBodies: Hashable, Sendable {
    /// A camera that connects.
    public struct Newcomer: Hashable, Sendable {
        /// Maker as the camera gives it.
        public var maker: String
        /// Model as the camera gives it.
        public var model: String
        /// Serial number as the camera gives it.
        public var serial: String
        /// Where it is: the USB port's path, or its address.
        public var place: String
        /// The camera's id: who it is when it gives no serial number and nothing else is known.
        public var id: CameraID

        /// Creates a newcomer.
        public init(maker: String, model: String, serial: String, place: String, id: CameraID) {
            self.maker = maker
            self.model = model
            self.serial = serial
            self.place = place
            self.id = id
        }

        /// The serial number, where it tells bodies apart at all: some makers give all of theirs the same zeros.
        public var meaningfulSerial: String? { CameraBodies.meaningful(serial) }

        private var makerWord: String {
            maker.lowercased().split { !$0.isLetter }.first.map(String.init) ?? "camera"
        }

        /// What bodies that cannot be told apart by their own word have in common.
        fileprivate var family: String {
            meaningfulSerial.map { "\(makerWord)-\($0)" } ?? "\(makerWord) \(model) without a serial number"
        }

        /// Who it is when it is the only one of its family.
        fileprivate var ownIdentity: BodyID {
            BodyID(rawValue: meaningfulSerial == nil ? id.rawValue : family)
        }
    }

    private struct Body: Hashable {
        var family: String
        var place: String
    }

    private var known: [BodyID: Body] = [:]
    private var connected: [BodyID: Newcomer] = [:]

    /// Nobody is known yet.
    public init() {}

    /// A serial number that tells bodies apart; `nil` for none and for one of zeros only.
    public static func meaningful(_ serial: String) -> String? {
        serial.contains { ($0.isLetter || $0.isNumber) && $0 != "0" } ? serial : nil
    }

    /// A body that was met before.
    public mutating func learn(_ identity: BodyID, _ body: Newcomer) {
        known[identity] = Body(family: body.family, place: body.place)
    }

    /// Who a camera may be, of those that are known and not connected.
    public func candidates(_ newcomer: Newcomer) -> [BodyID] {
        known.filter { $0.value.family == newcomer.family && connected[$0.key] == nil }.keys.sorted()
    }

    /// Whether a look at what is on its card could make a camera another one than it is without. Where two bodies of a family
    /// were ever met it could: they may have changed their places.
    public func needsEvidence(_ newcomer: Newcomer) -> Bool {
        guard let first = candidates(newcomer).first else { return false }
        return known.values.count { $0.family == newcomer.family } > 1 || choose(newcomer, [:]) != first
    }

    /// Decides who a camera is, and notes that it is connected.
    ///
    /// - Parameters:
    ///   - evidence: How many of the photos on its card each candidate is known to have had.
    ///   - others: Candidates that it is not: their photos have other bytes.
    /// - Returns: its identity in the ledger.
    public mutating func connect(
        _ newcomer: Newcomer, evidence: [BodyID: Int] = [:], others: Set<BodyID> = []
    ) -> BodyID {
        let identity = choose(newcomer, evidence, others)
        connected[identity] = newcomer
        learn(identity, newcomer)
        return identity
    }

    /// A camera's session has ended.
    public mutating func disconnect(_ identity: BodyID) { connected[identity] = nil }

    /// Groups of connected cameras, by id, that give the same serial number, or none that tells them apart.
    public var namesakes: [[CameraID]] {
        Dictionary(grouping: connected.values, by: \.family).values.filter { $0.count > 1 }
            .map { $0.map(\.id).sorted() }.sorted { ($0.first ?? "") < ($1.first ?? "") }
    }

    /// Bodies that were ever met and give the same serial number as this one, or none as it does.
    public func namesakes(of identity: BodyID) -> Set<BodyID> {
        guard let family = known[identity]?.family else { return [] }
        return Set(known.filter { $0.value.family == family && $0.key != identity }.keys)
    }

    private func choose(
        _ newcomer: Newcomer, _ evidence: [BodyID: Int], _ others: Set<BodyID> = []
    ) -> BodyID {
        let candidates = candidates(newcomer).filter { !others.contains($0) }
        let isOnly = known.values.count { $0.family == newcomer.family } == 1
        // The only body that ever gave this number is itself wherever it is plugged in.
        if newcomer.meaningfulSerial != nil, isOnly, let only = candidates.first { return only }
        let most = candidates.map { evidence[$0] ?? 0 }.max() ?? 0
        let likeliest = candidates.filter { evidence[$0] ?? 0 == most }
        if let here = likeliest.first(where: { known[$0]?.place == newcomer.place }) { return here }
        if most > 0, let first = likeliest.first { return first }
        let own = BodyID(rawValue: newcomer.id.rawValue)
        if newcomer.meaningfulSerial == nil, likeliest.contains(own) { return own }
        return freeIdentity(newcomer)
    }

    /// An identity that no body has yet. A body that was never met must not be taken for another: its photos would
    /// count as known.
    private func freeIdentity(_ newcomer: Newcomer) -> BodyID {
        let own = newcomer.ownIdentity
        guard known[own] != nil else { return own }
        var number = 2
        func numbered() -> BodyID { BodyID(rawValue: "\(own)#\(number)") }
        while known[numbered()] != nil { number += 1 }
        return numbered()
    }
}
