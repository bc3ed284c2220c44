import FrameFastModel
import Synchronization
import Testing

@testable import FrameFastDaemon
@testable import UploadEngine

@Suite struct ConfiguredDestinationTests {
    /// A destination that stores the password with which it was created. With a gate, an upload waits until
    /// the gate opens.
    private final class ScriptedDestination: UploadDestination {
        let password: String
        let isClosed = Mutex(false)
        private let entered: AsyncStream<Void>.Continuation?
        private let gate: AsyncStream<Void>?

        init(
            _ password: String, entered: AsyncStream<Void>.Continuation? = nil, gate: AsyncStream<Void>? = nil
        ) {
            self.password = password
            self.entered = entered
            self.gate = gate
        }

        func upload(
            _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
        ) async throws(UploadFailure) -> UploadReceipt {
            entered?.yield()
            if let gate { for await _ in gate { break } }
            if isClosed.withLock({ $0 }) { throw UploadFailure(.cancelled, "closed") }
            return UploadReceipt(remoteName: item.remoteName, proof: .word, evidence: password)
        }

        func probe() async throws(UploadFailure) {}
        func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure) {}
        func close() async { isClosed.withLock { $0 = true } }
    }

    private struct NoSecret: Error {}

    private static let item = UploadItem(
        jobID: 1, localPath: "/x", bytes: 1, sha256: "", station: "k7f2q9wd", remoteName: "a.jpg")

    @Test func `reads a secret again only after the credentials are renewed`() async throws {
        let secret = Mutex("old")
        let destination = ConfiguredDestination(acceptsProbes: true) {
            ScriptedDestination(secret.withLock { $0 })
        }
        #expect(try await destination.upload(Self.item) { _ in }.evidence == "old")
        secret.withLock { $0 = "new" }
        #expect(try await destination.upload(Self.item) { _ in }.evidence == "old")
        await destination.renewCredentials()
        #expect(try await destination.upload(Self.item) { _ in }.evidence == "new")
    }

    @Test func `reports an outage until an unreadable secret can be read`() async throws {
        let secret = Mutex<String?>(nil)
        let destination = ConfiguredDestination(acceptsProbes: true) {
            guard let secret = secret.withLock({ $0 }) else { throw NoSecret() }
            return ScriptedDestination(secret)
        }
        let failure = await #expect(throws: UploadFailure.self) {
            try await destination.upload(Self.item) { _ in }
        }
        #expect(failure?.kind == .outage(retryAfterSeconds: nil))
        secret.withLock { $0 = "there" }
        #expect(try await destination.upload(Self.item) { _ in }.evidence == "there")
    }

    @Test func `closes a replaced destination after its running upload`() async throws {
        let (entries, entered) = AsyncStream<Void>.makeStream()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let old = ScriptedDestination("old", entered: entered, gate: gate)
        let places = Mutex<[any UploadDestination]>([ScriptedDestination("new"), old])
        let destination = ConfiguredDestination(acceptsProbes: true) {
            places.withLock { $0.removeLast() }
        }
        async let running = destination.upload(Self.item) { _ in }
        for await _ in entries { break }
        await destination.renewCredentials()
        #expect(try await destination.upload(Self.item) { _ in }.evidence == "new")
        #expect(!old.isClosed.withLock { $0 })
        open.yield()
        #expect(try await running.evidence == "old")
        #expect(old.isClosed.withLock { $0 })
    }
}
