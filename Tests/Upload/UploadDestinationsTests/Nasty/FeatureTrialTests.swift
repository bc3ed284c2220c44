import FrameFastModel
import FrameFastSystem
import Synchronization
import Testing

@testable import UploadDestinations
@testable import UploadEngine

/// Tests of trials with a scripted server that refuses features in several ways.
@Suite struct FeatureTrialTests {
    /// A server that refuses some requests.
    final class ScriptedServer: TrialServer {
        enum Refusal: String, CaseIterable, Sendable {
            case forbidden, unknown, conflict, unprocessable, notFound, outage, dropped
        }

        private let refuses: @Sendable (UploadStep, String) -> Bool
        private let failure: UploadFailure
        let files = Mutex<Set<String>>([])
        let replaces: Bool
        /// The number of renames that the server performs without sending a response.
        private let lostRenames: Mutex<Int>

        init(
            _ refusal: Refusal, replaces: Bool = false, lostRenames: Int = 0,
            refuses: @escaping @Sendable (UploadStep, String) -> Bool
        ) {
            self.refuses = refuses
            self.replaces = replaces
            self.lostRenames = Mutex(lostRenames)
            let kind: UploadFailure.Kind =
                switch refusal {
                case .forbidden: .permanent(.forbidden)
                case .unknown: .permanent(.misconfigured)
                case .conflict: .permanent(.conflict)
                case .unprocessable: .permanent(.unprocessable)
                case .notFound: .permanent(.notFound)
                case .outage: .outage(retryAfterSeconds: nil)
                case .dropped: .transient
                }
            failure = UploadFailure(kind, "It refuses.")
        }

        private func check(_ step: UploadStep, _ name: String) throws(UploadFailure) {
            if refuses(step, name) { throw failure }
        }

        func store(_ name: String) async throws(UploadFailure) {
            try check(.send, name)
            files.withLock { _ = $0.insert(name) }
        }

        func size(_ name: String) async throws(UploadFailure) -> UInt64? {
            try check(.look, name)
            return TrialFile.bytes
        }

        func readsBack(_ name: String) async throws(UploadFailure) -> Bool {
            try check(.readBack, name)
            return true
        }

        func rename(_ first: String, to second: String) async throws(UploadFailure) -> Bool {
            try check(.rename, first)
            let isRenamed = files.withLock { files in
                if files.contains(second), !replaces { return false }
                files.remove(first)
                files.insert(second)
                return true
            }
            let isLost = lostRenames.withLock { count in
                count -= 1
                return count >= 0
            }
            if isLost { throw failure }
            return isRenamed
        }

        func listsFeatures() async throws(UploadFailure) -> Bool? {
            try check(.listFeatures, "")
            return true
        }

        func reportsTime(_ name: String) async throws(UploadFailure) -> Bool? {
            try check(.readTime, name)
            return true
        }

        func reportsChecksum(_ name: String) async throws(UploadFailure) -> Bool? {
            try check(.checksum, name)
            return true
        }

        /// Appending belongs to the same step as resuming.
        func appends(_ name: String) async throws(UploadFailure) -> Bool? {
            try check(.resume, "append to \(name)")
            return true
        }

        func sync(_ name: String) async throws(UploadFailure) -> Bool? {
            try check(.sync, name)
            return true
        }

        func setTime(_ name: String) async throws(UploadFailure) -> Bool? {
            try check(.setTime, name)
            return true
        }

        func resumes(_ name: String) async throws(UploadFailure) -> Bool? {
            try check(.resume, name)
            return true
        }

        func remove(_ name: String) async throws(UploadFailure) {
            try check(.remove, name)
            files.withLock { _ = $0.remove(name) }
        }
    }

    static let item = UploadItem(
        jobID: 1, localPath: "/a.JPG", bytes: 1, sha256: String(repeating: "ab", count: 32),
        station: "k7f2q9wd", remoteName: "d/a.JPG")

    static func isHidden(_ name: String) -> Bool { name.contains("/.") }
    static func isPart(_ name: String) -> Bool { name.hasSuffix(".part") }

    /// Each row has a feature, the requests that the server refuses, and the plan's temporary name.
    static let features: [(DestinationFeature, @Sendable (UploadStep, String) -> Bool, TemporaryName)] = [
        (.hiddenNames, { $0 == .send && isHidden($1) }, .plain),
        (.partNames, { $0 == .send && isPart($1) }, .bare),
        (.otherNames, { $0 == .send && !$1.hasSuffix(".JPG") }, .photo),
        (.rename, { step, _ in step == .rename }, .final),
        (.size, { step, _ in step == .look }, .hidden),
        (.readBack, { step, _ in step == .readBack }, .hidden),
        (.sync, { step, _ in step == .sync }, .hidden),
        (.featureList, { step, _ in step == .listFeatures }, .hidden),
        (.fileTime, { step, _ in step == .readTime }, .hidden),
        (.serverChecksum, { step, _ in step == .checksum }, .hidden),
        (.modificationTime, { step, _ in step == .setTime }, .hidden),
        (.append, { $0 == .resume && $1.hasPrefix("append to ") }, .hidden),
        (.resume, { $0 == .resume && !$1.hasPrefix("append to ") }, .hidden),
        (.remove, { step, _ in step == .remove }, .hidden),
    ]

    @Test(arguments: ScriptedServer.Refusal.allCases)
    func `records each refused feature and removes the trial files`(
        refusal: ScriptedServer.Refusal
    ) async throws {
        for (feature, refuses, name) in Self.features {
            let server = ScriptedServer(refusal, refuses: refuses)
            let memory = DestinationMemory()
            let plan = try await FeatureTrial(
                server: server, memory: memory, item: Self.item, clock: SkippedPauses().clock
            )
            .run(testsTaken: true)
            #expect(plan.temporaryName == name, "\(feature)")
            if feature == .remove {
                // An outage or a missing file says nothing about the permission to remove files.
                #expect(memory.offers(.remove) == [.notFound, .outage, .dropped].contains(refusal))
            } else {
                #expect(!memory.offers(feature), "\(feature)")
                #expect(server.files.withLock { $0 } == [], "\(feature)")
                #expect(memory.capabilities[feature]?.reason == "It refuses.", "\(feature)")
            }
        }
    }

    @Test(arguments: ScriptedServer.Refusal.allCases)
    func `plans final names if all trial files are refused, and throws after an outage`(
        refusal: ScriptedServer.Refusal
    ) async throws {
        let server = ScriptedServer(refusal) { step, _ in step == .send }
        let memory = DestinationMemory()
        let trial = FeatureTrial(
            server: server, memory: memory, item: Self.item, clock: SkippedPauses().clock)
        if refusal == .outage || refusal == .dropped {
            await #expect(throws: UploadFailure.self) { () async throws in
                _ = try await trial.run(testsTaken: true)
            }
        } else {
            let plan = try await trial.run(testsTaken: true)
            #expect(plan.isUnproven && plan.temporaryName == .final)
        }
        #expect(
            memory.capabilities.observations.isEmpty,
            "a server that accepts no file shows no missing feature")
    }

    @Test(arguments: [false, true]) func `detects whether the server replaces existing files`(replaces: Bool)
        async throws
    {
        let server = ScriptedServer(.forbidden, replaces: replaces) { _, _ in false }
        let plan = try await FeatureTrial(
            server: server, memory: DestinationMemory(), item: Self.item, clock: SkippedPauses().clock
        )
        .run(testsTaken: true)
        #expect(plan == TransferPlan(temporaryName: .hidden, refusesTaken: !replaces))
        #expect(server.files.withLock { $0 } == [])
    }

    @Test(arguments: [ScriptedServer.Refusal.outage, .dropped, .forbidden], [1, 2])
    func `distinguishes an outage from a refusal to overwrite a file`(
        refusal: ScriptedServer.Refusal, times: Int
    ) async throws {
        let renames = Mutex(0)
        let server = ScriptedServer(refusal) { step, _ in
            guard step == .rename else { return false }
            // The first rename tests whether the server can rename.
            let number = renames.withLock { count in
                count += 1
                return count
            }
            return (2...times + 1).contains(number)
        }
        let plan = try await FeatureTrial(
            server: server, memory: DestinationMemory(), item: Self.item, clock: SkippedPauses().clock
        )
        .run(testsTaken: true)
        #expect(plan.refusesTaken == (refusal == .forbidden || times == 1))
        #expect(server.files.withLock { $0 } == [])
    }

    @Test(arguments: [ScriptedServer.Refusal.outage, .dropped])
    func `detects overwriting even if the test was interrupted by an outage`(
        refusal: ScriptedServer.Refusal
    ) async throws {
        let renames = Mutex(0)
        let server = ScriptedServer(refusal, replaces: true) { step, _ in
            guard step == .rename else { return false }
            return renames.withLock { count in
                count += 1
                return count == 2
            }
        }
        let plan = try await FeatureTrial(
            server: server, memory: DestinationMemory(), item: Self.item, clock: SkippedPauses().clock
        )
        .run(testsTaken: true)
        #expect(!plan.refusesTaken)
    }

    @Test func `records no feature when the server refuses the account`() async throws {
        struct Locked: TrialServer {
            static let failure = UploadFailure(.permanent(.unauthorised), "Wrong password.")
            func store(_ name: String) async throws(UploadFailure) { throw Self.failure }
            func size(_ name: String) async throws(UploadFailure) -> UInt64? { nil }
            func readsBack(_ name: String) async throws(UploadFailure) -> Bool { true }
            func rename(_ first: String, to second: String) async throws(UploadFailure) -> Bool { true }
            func remove(_ name: String) async throws(UploadFailure) {}
        }
        let memory = DestinationMemory()
        await #expect(throws: Locked.failure) { () async throws in
            _ = try await FeatureTrial(
                server: Locked(), memory: memory, item: Self.item, clock: SkippedPauses().clock
            ).run(
                testsTaken: true)
        }
        #expect(memory.capabilities.observations.isEmpty)
    }

    /// A server that hangs at one step until the trial is cancelled. The server refuses requests of a
    /// cancelled task.
    private final class StoppingServer: TrialServer {
        let files = Mutex<Set<String>>([])
        let reached = AsyncEvent()
        private let step: UploadStep

        init(_ step: UploadStep) { self.step = step }

        private func hang(_ here: UploadStep) async throws(UploadFailure) {
            if Task.isCancelled { throw .stopped }
            guard here == step else { return }
            reached.signal()
            try? await Task.sleep(for: .seconds(600))
            throw .stopped
        }

        func store(_ name: String) async throws(UploadFailure) {
            files.withLock { _ = $0.insert(name) }
            try await hang(.send)
        }

        func size(_ name: String) async throws(UploadFailure) -> UInt64? {
            try await hang(.look)
            return TrialFile.bytes
        }

        func readsBack(_ name: String) async throws(UploadFailure) -> Bool { true }

        func rename(_ first: String, to second: String) async throws(UploadFailure) -> Bool {
            files.withLock { files in
                files.remove(first)
                files.insert(second)
            }
            try await hang(.rename)
            return true
        }

        func remove(_ name: String) async throws(UploadFailure) {
            if Task.isCancelled { throw .stopped }
            files.withLock { _ = $0.remove(name) }
        }
    }

    @Test(arguments: [UploadStep.send, .look, .rename])
    func `removes trial files after a cancelled trial`(step: UploadStep) async {
        let server = StoppingServer(step)
        let trial = Task {
            _ = try? await FeatureTrial(server: server, memory: DestinationMemory(), item: Self.item)
                .run(testsTaken: true)
        }
        await server.reached.wait()
        trial.cancel()
        await trial.value
        #expect(server.files.withLock { $0 } == [])
    }

    @Test func `skips the trial when its files could not be removed`() async throws {
        let memory = DestinationMemory()
        await memory.learn(.remove, isOffered: false, reason: "No.")
        await memory.learn(.rename, isOffered: false, reason: "No.")
        let server = ScriptedServer(.forbidden) { _, _ in true }
        let plan = try await FeatureTrial(
            server: server, memory: memory, item: Self.item, clock: SkippedPauses().clock
        )
        .run(testsTaken: true)
        #expect(plan.temporaryName == .final && !plan.isUnproven)
    }
}
