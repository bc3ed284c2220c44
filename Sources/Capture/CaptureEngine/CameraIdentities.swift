import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Store
import Synchronization
import WorkerProtocol

/// Says who each connected camera is in the ledger, and tells people of cameras that give the same serial number.
final class CameraIdentities: Sendable {
    /// Photos on a card that are looked at to recognise a camera: enough to tell, and quick on a card of thousands.
    private static let evidenceMax = 200
    /// Photos of each body that are fetched at most to see whose they are.
    private static let comparedMax = 2
    /// Readings of such a photo that fit nobody before it counts as another one.
    private static let readingsMax = 2

    private struct State {
        var bodies: CameraBodies
        /// Who the connected cameras are, by camera id.
        var identities: [CameraID: BodyID] = [:]
    }

    private let state: Mutex<State>
    /// Cameras that the condition stands for, each group under its first. Held while people are told, so that what is told
    /// last is what is so: cameras come and go at the same moment.
    private let told = Mutex<[CameraID: [CameraID]]>([:])
    private let ledger: LedgerStore
    private let registry: CameraRegistry
    private let health: HealthBoard
    private let parts: PartFiles

    init(
        _ bodies: CameraBodies, ledger: LedgerStore, parts: PartFiles, registry: CameraRegistry,
        health: HealthBoard
    ) {
        self.parts = parts
        state = Mutex(State(bodies: bodies))
        self.ledger = ledger
        self.registry = registry
        self.health = health
    }

    /// Who a connected camera is; `nil` while it is not connected.
    func identity(ofCamera id: CameraID) -> BodyID? { state.withLock { $0.identities[id] } }

    /// Bodies that give the same serial number as this one, or none as it does.
    func namesakes(of identity: BodyID) -> Set<BodyID> {
        state.withLock { $0.bodies.namesakes(of: identity) }
    }

    /// Decides who a camera is. Where its word does not tell, what is on its card is looked at first.
    ///
    /// - Returns: its identity in the ledger.
    /// - Throws: a ``WorkerFailure`` when the card cannot be listed, else the ledger's error.
    func connect(_ session: CameraSession) async throws -> BodyID {
        let newcomer = CameraBodies.Newcomer(
            maker: session.facts.maker, model: session.facts.model, serial: session.facts.serial,
            place: session.place, id: session.camera)
        let identity = try await decide(newcomer, session)
        tell()
        // Before any photo of it is on record: after a crash it must not be taken for another of its kind.
        do { try await remember(session, identity) } catch {
            disconnect(session)
            throw error
        }
        return identity
    }

    private func decide(_ newcomer: CameraBodies.Newcomer, _ session: CameraSession) async throws -> BodyID {
        var listed: [CameraObject]?
        while true {
            let (candidates, needsEvidence) = state.withLock {
                ($0.bodies.candidates(newcomer), $0.bodies.needsEvidence(newcomer))
            }
            var evidence: [BodyID: Int] = [:]
            var others: Set<BodyID> = []
            if needsEvidence {
                let newest = if let listed { listed } else { try await Self.newest(on: session) }
                listed = newest
                evidence = try await ledger.familiar(newest, to: candidates)
                others = try await strangers(to: session, newest, among: candidates)
            }
            let identity = state.withLock { state -> BodyID? in
                // A body whose session has ended meanwhile may be this one, and was not looked at.
                guard state.bodies.candidates(newcomer).allSatisfy(candidates.contains) else { return nil }
                let identity = state.bodies.connect(newcomer, evidence: evidence, others: others)
                state.identities[session.camera] = identity
                return identity
            }
            if let identity { return identity }
        }
    }

    /// The newest photos on a camera's card.
    private static func newest(on session: CameraSession) async throws -> [CameraObject] {
        var newest: [CameraObject] = []
        for try await portion in session.list() {
            newest = (newest + portion.objects).suffix(evidenceMax)
            if portion.isLast { return newest }
        }
        throw cutShort
    }

    /// Bodies that a camera is not, by the bytes of photos that agree in all else with photos of theirs.
    ///
    /// A body that was taken for another one would have its photos counted as known, also when that one alone has photos
    /// of the same names, sizes and times. One that is taken for a new one brings photos once more, and their bytes are
    /// known: so whoever cannot be told is that.
    private func strangers(
        to session: CameraSession, _ objects: [CameraObject], among candidates: [BodyID]
    ) async throws -> Set<BodyID> {
        let comparable = try await ledger.comparable(objects, among: candidates, limit: Self.comparedMax)
        var others: Set<BodyID> = []
        for (object, known) in comparable {
            // A byte that changes on the way, or a refusal, must not make another body of it.
            for _ in 0..<Self.readingsMax {
                let sha256 = try await reading(of: object, from: session)
                let same = known.filter { $0.value.contains(sha256 ?? "") }.keys
                guard same.isEmpty else { return Set(candidates).subtracting(same) }
            }
            others.formUnion(known.filter { !$0.value.isEmpty }.keys)
        }
        return others
    }

    /// The SHA-256 of a photo's bytes as they come now; `nil` when the camera refuses it.
    private func reading(of object: CameraObject, from session: CameraSession) async throws -> String? {
        let part = parts.evidencePath()
        defer { try? DurableFile.remove(part) }
        do throws(WorkerFailure) { return try await session.fetch(object, into: part).sha256 } catch {
            switch error.kind {
            case .disconnected, .timeout, .diskFull, .hostIO: throw error
            default: return nil
            }
        }
    }

    private func remember(_ session: CameraSession, _ identity: BodyID) async throws {
        guard let status = registry.camera(session.camera) else { return }
        try await ledger.remember(
            status.with(session.facts), as: identity, zone: session.configured.zone, place: session.place,
            isListed: false, at: Date())
    }

    private static let cutShort = WorkerFailure(
        kind: .disconnected, during: "list", text: "the session ended while the card was read")

    /// A camera's session has ended.
    func disconnect(_ session: CameraSession) {
        state.withLock { state in
            guard let identity = state.identities.removeValue(forKey: session.camera) else { return }
            state.bodies.disconnect(identity)
        }
        tell()
    }

    /// Names the cameras that share a serial number, and stops naming those that do not any more.
    private func tell() {
        told.withLock { told in
            let namesakes = state.withLock(\.bodies.namesakes)
            let groups = Dictionary(
                namesakes.compactMap { group in group.first.map { ($0, group) } }
            ) { first, _ in first }
            for id in told.keys where groups[id] == nil { health.clear(.serialShared, subject: .camera(id)) }
            tell(groups)
            told = groups
        }
    }

    private func tell(_ groups: [CameraID: [CameraID]]) {
        for (id, group) in groups {
            let names = group.map(registry.name(of:))
            let serial = registry.camera(id)?.facts.flatMap { CameraBodies.meaningful($0.serial) }
            health.raise(
                .serialShared, subject: .camera(id),
                sentence: Self.list(names)
                    + (serial.map { " give the same serial number, \($0)." }
                        ?? " give no serial number of their own."),
                nextStep:
                    "Nothing is lost. They are told apart by their ports or addresses and by what is on their "
                    + "cards: leave each at its port, or their names may be exchanged.")
        }
    }

    private static func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.joined() }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}

extension CameraStatus {
    /// The same camera, with what it says of itself now.
    func with(_ facts: CameraFacts) -> CameraStatus {
        var status = self
        status.facts = facts
        return status
    }
}
