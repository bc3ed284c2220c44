import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Store
import Synchronization
import WorkerProtocol

/// A map from each connected camera to its body in the ledger. The type also reports cameras with the same
/// serial number.
final class CameraIdentities: Sendable {
    /// The number of photos on a card that are compared with the ledger at a time to identify a camera. The
    /// comparison of bytes starts with the newest photos, and continues with older photos until it finds a
    /// photo whose bytes can be compared.
    private static let evidenceMax = 200
    /// The maximum number of photos that are fetched for each body to compare their bytes.
    private static let comparedMax = 2
    /// The maximum number of readings of one photo. A photo is treated as different after this many readings
    /// without a match.
    private static let readingsMax = 2

    private struct State {
        var bodies: CameraBodies
        /// The bodies of the connected cameras, by camera ID.
        var identities: [CameraID: BodyID] = [:]
        /// The bodies whose saved photos must still be marked as past, because a second body with the same
        /// serial number appeared. A new object with the facts of a past photo gets its own record.
        var mixed: Set<BodyID> = []
    }

    private let state: Mutex<State>
    /// The groups of cameras that the condition currently reports, by the first camera of each group. The
    /// lock is held while conditions change. Therefore, the last report matches the current state even if
    /// cameras connect and disconnect at the same time.
    private let reported = Mutex<[CameraID: [CameraID]]>([:])
    private let ledger: LedgerStore
    private let registry: CameraRegistry
    private let conditionBoard: ConditionBoard
    private let parts: PartFiles
    private let clock: HostClock

    init(
        _ bodies: CameraBodies, ledger: LedgerStore, parts: PartFiles, registry: CameraRegistry,
        conditionBoard: ConditionBoard, clock: HostClock
    ) {
        self.parts = parts
        self.clock = clock
        state = Mutex(State(bodies: bodies))
        self.ledger = ledger
        self.registry = registry
        self.conditionBoard = conditionBoard
    }

    /// Returns the body of a connected camera, or `nil` if the camera is not connected.
    func identity(ofCamera id: CameraID) -> BodyID? { state.withLock { $0.identities[id] } }

    /// Returns the other bodies with the same maker and serial number. For a body without a usable serial
    /// number, returns the other such bodies of the same maker and model.
    func sharedSerials(of identity: BodyID) -> Set<BodyID> {
        state.withLock { $0.bodies.sharedSerials(of: identity) }
    }

    /// Determines the body of a camera. If maker, model and serial number are ambiguous, compares the photos
    /// on its card with the ledger.
    ///
    /// - Returns: The camera's identity in the ledger, whether the identity is proven, and the bodies whose
    ///   saved photos may be from several cameras. These photos were marked as past, and the cards of the
    ///   bodies must be listed again.
    /// - Throws: ``WorkerFailure`` if the card cannot be listed, or an error of the ledger.
    func connect(
        _ connection: CameraConnection
    ) async throws -> (identity: BodyID, isProven: Bool, mixed: Set<BodyID>) {
        let connecting = CameraBodies.ConnectingCamera(
            maker: connection.facts.maker, model: connection.facts.model, serial: connection.facts.serial,
            place: connection.place, id: connection.camera)
        let (identity, isProven) = try await decideIdentity(connecting, connection)
        updateConditions()
        let mixed = state.withLock(\.mixed)
        do {
            for body in mixed {
                try await ledger.markAllPast(camera: body)
                SimulatedHost.pass(.bodyMarkedPast)
                state.withLock { _ = $0.mixed.remove(body) }
            }
            // Saves the identity before any photo of the camera. Without a saved identity, the camera could
            // be mistaken for another camera of its model after a crash.
            try await saveIdentity(connection, identity)
            SimulatedHost.pass(.identityRecorded)
        } catch {
            disconnect(connection)
            throw error
        }
        return (identity, isProven, mixed)
    }

    /// Decides the identity of a camera. The identity is proven if the serial number is unique, the body is
    /// new, or a photo on the card has the bytes of a saved photo.
    private func decideIdentity(
        _ connecting: CameraBodies.ConnectingCamera, _ connection: CameraConnection
    ) async throws -> (identity: BodyID, isProven: Bool) {
        var listed: [CameraObject]?
        while true {
            let (candidates, needsEvidence) = state.withLock {
                ($0.bodies.candidates(connecting), $0.bodies.needsEvidence(connecting))
            }
            var evidence: [BodyID: Int] = [:]
            var others: Set<BodyID> = []
            var proven: Set<BodyID> = []
            if needsEvidence {
                let objects = if let listed { listed } else { try await Self.objects(on: connection) }
                listed = objects
                evidence = try await ledger.countMatches(
                    of: Array(objects.suffix(Self.evidenceMax)), for: candidates)
                (others, proven) = try await compareBytes(of: objects, on: connection, with: candidates)
            }
            let decision = state.withLock { state -> (BodyID, Bool)? in
                // A body that disconnected during the comparison may be this camera. The comparison is then
                // repeated with that body.
                guard state.bodies.candidates(connecting).allSatisfy(candidates.contains) else { return nil }
                let identity = state.bodies.connect(connecting, evidence: evidence, others: others)
                state.identities[connection.camera] = identity
                let family = state.bodies.sharedSerials(of: identity)
                guard candidates.contains(identity) else {
                    if family.count == 1 { state.mixed.formUnion(family) }
                    return (identity, true)
                }
                return (identity, family.isEmpty || proven.contains(identity))
            }
            if let decision { return decision }
        }
    }

    /// Returns the objects on a camera's card, oldest first.
    private static func objects(on connection: CameraConnection) async throws -> [CameraObject] {
        var objects: [CameraObject] = []
        for try await portion in connection.list() {
            objects += portion.objects
            if portion.isLast { return objects }
        }
        throw cutShort
    }

    /// Compares the bytes of photos whose name, size and time match.
    ///
    /// - Returns: The bodies that the camera can't be, and the bodies that have a photo with the same bytes.
    ///
    /// An ambiguous camera is treated as new, because a wrong match is worse. If a camera is wrongly treated
    /// as new, its photos are transferred again, and their bytes are recognized as duplicates. After a wrong
    /// match, this camera's photos would be treated as saved if the other body has photos with the same
    /// names, sizes and times.
    private func compareBytes(
        of objects: [CameraObject], on connection: CameraConnection, with candidates: [BodyID]
    ) async throws -> (others: Set<BodyID>, proven: Set<BodyID>) {
        var rest = objects[...]
        var comparable: [(object: CameraObject, sha256: [BodyID: Set<String>])] = []
        while comparable.isEmpty, !rest.isEmpty {
            comparable = try await ledger.comparableObjects(
                Array(rest.suffix(Self.evidenceMax)), among: candidates, limit: Self.comparedMax)
            rest = rest.dropLast(Self.evidenceMax)
        }
        var others: Set<BodyID> = []
        for (object, known) in comparable {
            // Reads the photo again after a mismatch, because a transfer error must not exclude a body.
            var wasRead = false
            for _ in 0..<Self.readingsMax {
                guard let sha256 = try await reading(of: object, from: connection) else { continue }
                wasRead = true
                let same = Set(known.filter { $0.value.contains(sha256) }.keys)
                guard same.isEmpty else { return (Set(candidates).subtracting(same), same) }
            }
            // Without a time, the object may be a later photo of the same camera.
            if wasRead, object.cameraTime != nil { others.formUnion(known.keys) }
        }
        return (others, [])
    }

    /// Fetches the photo and returns the SHA-256 of its bytes, or `nil` if the camera refuses the photo.
    private func reading(of object: CameraObject, from connection: CameraConnection) async throws -> String? {
        let part = parts.evidencePath()
        defer { try? DurableFile.remove(part) }
        do throws(WorkerFailure) { return try await connection.fetch(object, into: part).sha256 } catch {
            switch error.kind {
            case .disconnected, .timeout, .diskFull, .hostIO: throw error
            default: return nil
            }
        }
    }

    private func saveIdentity(_ connection: CameraConnection, _ identity: BodyID) async throws {
        guard let status = registry.camera(connection.camera) else { return }
        try await ledger.recordCamera(
            status.with(connection.facts), as: identity, zone: connection.configured.zone,
            place: connection.place,
            isListed: false, at: clock.now())
    }

    private static let cutShort = WorkerFailure(
        kind: .disconnected, during: "list", text: "the connection ended while the card was being listed")

    /// Removes the camera of a connection that has ended.
    func disconnect(_ connection: CameraConnection) {
        state.withLock { state in
            guard let identity = state.identities.removeValue(forKey: connection.camera) else { return }
            state.bodies.disconnect(identity)
        }
        updateConditions()
    }

    /// Raises the condition for cameras that share a serial number, and clears the condition for other
    /// cameras.
    private func updateConditions() {
        reported.withLock { reported in
            let namesakes = state.withLock(\.bodies.sharedSerials)
            let groups = Dictionary(
                namesakes.compactMap { group in group.first.map { ($0, group) } }
            ) { first, _ in first }
            for id in reported.keys where groups[id] == nil {
                conditionBoard.clear(.serialShared, subject: .camera(id))
            }
            raiseConditions(for: groups)
            reported = groups
        }
    }

    private func raiseConditions(for groups: [CameraID: [CameraID]]) {
        for (id, group) in groups {
            let names = group.map(registry.name(of:))
            let serial = registry.camera(id)?.facts.flatMap { CameraBodies.meaningful($0.serial) }
            conditionBoard.raise(
                .serialShared, subject: .camera(id),
                sentence: Self.list(names)
                    + (serial.map { " report the same serial number, \($0)." }
                        ?? " report no serial number."),
                nextStep:
                    "No photos are lost. FrameFast distinguishes these cameras by port, address and the photos on their "
                    + "cards. Keep each camera on its port. If you swap the ports, FrameFast may swap the names."
            )
        }
    }

    private static func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.joined() }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}

extension CameraStatus {
    /// Returns a copy of the status with new facts.
    func with(_ facts: CameraFacts) -> CameraStatus {
        var status = self
        status.facts = facts
        return status
    }
}
