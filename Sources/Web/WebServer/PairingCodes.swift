public import FoundationEssentials
public import FrameFastAPI

/// Codes by which devices are let in: short, for a moment, and few tries. A value: time is given.
public struct PairingCodes: Sendable {
    /// What a code stands for.
    public struct Offer: Hashable, Sendable {
        /// What the device may do.
        public var role: WebDevice.Role
        /// The session that it sees.
        public var session: SessionID?
        /// How many devices may use the code.
        public var uses: Int

        /// Creates an offer.
        public init(role: WebDevice.Role, session: SessionID?, uses: Int) {
            self.role = role
            self.session = session
            self.uses = uses
        }
    }

    /// Why a code is not taken.
    public enum Refusal: Error, Hashable, Sendable {
        /// It is none, it is used up, or its time is over.
        case unknown
        /// It is none, and the last wrong one that is taken from anywhere: no code that was open is good any more.
        case lastOfAll
        /// This address has tried too often; seconds until it may again.
        case tooOften(seconds: Int)
    }

    /// Letters of a code: Crockford's, which cannot be taken for one another.
    static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    /// Letters in a code: 40 bits.
    static let length = 8
    /// How long a code is good, in seconds.
    public static let lifeSeconds = 600.0
    /// Codes that are open at a time.
    static let openMax = 32
    /// Wrong tries of one address in a minute.
    static let triesOfAddress = 5
    static let minute = 60.0
    /// Wrong tries of all: after so many every open code is void.
    static let triesOfAll = 30
    /// Addresses that are remembered.
    static let addressesMax = 1_000

    private var open: [(code: String, offer: Offer, until: Date)] = []
    private var wrong: [String: [Date]] = [:]
    private var wrongInAll = 0

    /// No codes.
    public init() {}

    /// Opens a code.
    ///
    /// - Parameter random: Gives numbers that nobody can guess.
    /// - Returns: the code as it is shown, `K7QM-4R2P`, and until when it is good.
    public mutating func open(
        _ offer: Offer, now: Date, random: inout some RandomNumberGenerator
    ) -> (code: String, until: Date) {
        forget(now)
        if open.count >= Self.openMax { open.removeFirst() }
        let code = String((0..<Self.length).map { _ in Self.letters[Int.random(in: 0..<32, using: &random)] })
        let until = now.addingTimeInterval(Self.lifeSeconds)
        open.append((code, offer, until))
        wrongInAll = 0
        return ("\(code.prefix(4))-\(code.dropFirst(4))", until)
    }

    /// Uses a code.
    public mutating func use(_ text: String, from address: String, now: Date) throws(Refusal) -> Offer {
        forget(now)
        let tries = wrong[address, default: []]
        if tries.count >= Self.triesOfAddress, let first = tries.first {
            throw .tooOften(
                seconds: Int(first.addingTimeInterval(Self.minute).timeIntervalSince(now).rounded(.up)))
        }
        guard let place = open.firstIndex(where: { $0.code == Self.plain(text) }) else {
            if wrong.count < Self.addressesMax || wrong[address] != nil {
                wrong[address, default: []].append(now)
            }
            wrongInAll += 1
            guard wrongInAll >= Self.triesOfAll, !open.isEmpty else { throw .unknown }
            open = []
            throw .lastOfAll
        }
        let offer = open[place].offer
        open[place].offer.uses -= 1
        if open[place].offer.uses <= 0 { open.remove(at: place) }
        return offer
    }

    private mutating func forget(_ now: Date) {
        open.removeAll { $0.until <= now }
        wrong = wrong.compactMapValues { tries in
            let late = tries.filter { now.timeIntervalSince($0) < Self.minute }
            return late.isEmpty ? nil : late
        }
    }

    /// As people type it: in any case, with or without the hyphen, O for 0, I and L for 1.
    static func plain(_ text: String) -> String {
        String(
            text.uppercased().compactMap { letter -> Character? in
                switch letter {
                case "O": "0"
                case "I", "L": "1"
                default: letters.contains(letter) ? letter : nil
                }
            })
    }
}
