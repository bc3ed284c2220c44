import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import TestRig
import Testing

@testable import Manifests

/// A capture directory with a ledger, photos that are saved in it, and the reference tool.
final class ManifestBed: Sendable {
    static let now = Date(timeIntervalSince1970: 1_795_271_130)

    let scratch: ScratchFolder
    let ledger: LedgerStore
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// The capture directory.
    var photos: String { scratch.path("photos") }

    init() throws {
        scratch = try ScratchFolder()
        ledger = try LedgerStore(path: scratch.path("ledger.sqlite"))
        try FileManager.default.createDirectory(
            atPath: scratch.path("photos"), withIntermediateDirectories: true)
    }

    /// Puts a photo on disk and into the ledger, as a worker's hash or without one.
    ///
    /// - Parameter path: below the capture directory.
    @discardableResult
    func save(
        _ path: String, _ text: String = "a photo", session: SessionID? = nil, hasHash: Bool = true,
        awaitsReread: Bool = false
    ) async throws -> CaptureID {
        let file = photos + "/" + path
        let bytes = Data("\(text) \(path)".utf8)
        try FileManager.default.createDirectory(
            atPath: DurableFile.parent(of: file), withIntermediateDirectories: true)
        try bytes.write(to: URL(filePath: file))
        let object = CameraObject(
            folder: "/store_1/A", name: "\(UUID().uuidString).JPG", size: UInt64(bytes.count), cameraTime: 100
        )
        let seen = try await ledger.recordSeen([object], camera: "a", session: session, at: Self.now)[0]
        let hashes = try #require(try SealedFile.hash(file, withSHA256: true))
        let naming = LedgerStore.NamingPolicy(
            counterScope: { _ in "all" }, path: { _, _ in file }, pairSettleSeconds: 0, rereads: awaitsReread)
        let arrival = Arrival(
            id: seen.id, bytes: UInt64(bytes.count), sha256: hashes.sha256,
            xxh128: hasHash ? hashes.xxh128 : nil,
            transferMs: 1)
        _ = try await ledger.beginPublishing([arrival], naming: naming)
        try await ledger.finishPublishing([seen.id], at: Self.now)
        return seen.id
    }

    /// What seals a folder.
    func sealing(
        _ folder: String, _ probe: ManifestHistory.Probe = .init(), author: String? = nil
    ) -> ManifestSealing {
        ManifestSealing(
            ledger: ledger, creator: ManifestCreator(host: "studio & <co>", version: "1.0", author: author),
            history: ManifestHistory(root: photos + "/" + folder, probe: probe), logger: logger,
            now: { Self.now })
    }

    /// The service that does it.
    func service(_ template: String = NamingTemplate.standardSource) throws -> ManifestService {
        ManifestService(
            settings: .init(
                directory: photos, template: try NamingTemplate(template), isAutomatic: false,
                creator: ManifestCreator(host: "studio", version: "1.0", author: "Kim")),
            ledger: ledger, logger: logger
        ) { _, _ in }
    }

    /// Verifies, and waits for the end.
    func verify(_ service: ManifestService, _ session: SessionID) async throws -> SessionVerification {
        _ = try #require(try await service.verify(session))
        return try #require(await service.verificationEnd())
    }

    /// A photo was delivered, and its file cleared here.
    func deliverAndClear(_ id: CaptureID, to destination: DestinationName) async throws {
        let photos = try await ledger.unplannedUploads(limit: 100).map(\.photo).filter { $0.record.id == id }
        _ = try await ledger.planUploads(
            photos.map {
                ($0, [UploadPlan(destination: destination, verdict: .queued(priority: 0), remoteName: "a")])
            },
            at: Self.now)
        let claimed = try await ledger.settle(
            [], claiming: .init(destination: destination, limit: 1, order: .capture), at: Self.now
        ).claimed
        let job = try #require(claimed.first)
        _ = try await ledger.settle(
            [
                .init(
                    jobID: job.job.id,
                    event: .delivered(
                        .init(remoteName: "a", proof: "size", evidence: "", wasThere: false), at: Self.now))
            ], claiming: nil,
            at: Self.now)
        #expect(try await ledger.beginClearing([id], at: Self.now) == [id])
        try await ledger.endClearing(gone: [id], kept: [])
    }

    /// What the reference tool says of a folder: its exit status.
    static func tool(_ arguments: String...) async throws -> Int32 {
        let tool = try Process.run(
            ServerPrograms.manifestTool, arguments: arguments)
        tool.waitUntilExit()
        return tool.terminationStatus
    }

    /// The exit status of its verification of a folder below the capture directory.
    func tool(verifies folder: String) async throws -> Int32 {
        try await Self.tool("verify", photos + "/" + folder)
    }

    /// The manifests of a folder, in order.
    func manifests(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: photos + "/" + folder + "/ascmhl")
            .filter { $0.hasSuffix(".mhl") }.sorted()
    }

    /// Changes bytes of a file.
    func flip(_ path: String) throws {
        let file = URL(filePath: photos + "/" + path)
        var bytes = try Data(contentsOf: file)
        bytes[bytes.startIndex] ^= 1
        try bytes.write(to: file)
    }
}
