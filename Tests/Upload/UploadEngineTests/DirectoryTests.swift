import Foundation
import FrameFastModel
import FrameFastSystem
import Store
import Synchronization
import TestRig
import Testing
import UploadDestinations

@testable import UploadEngine

@Suite(.blocking, .timeLimit(.minutes(10))) struct DirectoryTests {
    let rig: UploadRig

    init() throws { rig = try UploadRig() }

    var share: String { rig.folder + "/share" }

    func place(mustBeMount: Bool = false) -> DirectoryDestination {
        DirectoryDestination(
            name: "nas", folder: share, stateDirectory: rig.folder + "/state", mustBeMount: mustBeMount)
    }

    func item(_ name: String, _ data: Data, id: JobID = 1) throws -> UploadItem {
        let path = rig.folder + "/" + UUID().uuidString
        try data.write(to: URL(filePath: path))
        return UploadItem(
            jobID: id, localPath: path, bytes: UInt64(data.count), sha256: UploadRig.sha256(data),
            station: "k7f2q9wd", remoteName: name)
    }

    func files() throws -> Set<String> {
        Set(
            try FileManager.default.subpathsOfDirectory(atPath: share).filter { !$0.hasPrefix(".framefast") }
                .filter { !$0.hasSuffix("/") })
    }

    func failure(_ body: () async throws(UploadFailure) -> Void) async -> UploadFailure? {
        do throws(UploadFailure) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test(.nightly("measures throughput")) func `all uploads to a folder share its bandwidth limit`()
        async throws
    {
        try FileManager.default.createDirectory(atPath: share, withIntermediateDirectories: true)
        try await rig.save(["1.jpg", "2.jpg"]) { _ in Data(count: 400_000) }
        var target = rig.target(place(), workers: 2)
        target.bytesPerSecond = 400_000
        let service = try await rig.service([target], clock: .system)
        let took = try await ContinuousClock().measure {
            try await rig.running(service) { await rig.wait(for: 2, in: .delivered) }
        }
        // The limit allows a burst of a quarter of a second.
        #expect(took > .seconds(1.2))
    }

    @Test(arguments: [
        "a.jpg", "Bride & groom/été 写真 #1+2%.jpg", ".hidden.jpg", "deep/er/and/deeper/x y.cr3", "noextension",
    ])
    func `delivers a complete photo under its name`(name: String) async throws {
        let data = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 * 7) })
        let seen = Mutex<UInt64>(0)
        let receipt = try await place().upload(try item(name, data)) { bytes in seen.withLock { $0 = bytes } }
        #expect(receipt.remoteName == name)
        #expect(receipt.proof == .checksum)
        #expect(!receipt.alreadyExisted)
        #expect(try Data(contentsOf: URL(filePath: share + "/" + name)) == data)
        #expect(seen.withLock { $0 } == 3_000_000)
        let left = try FileManager.default.contentsOfDirectory(atPath: share + "/.framefast")
        #expect(left == ["destination"])
    }

    @Test func `recognizes the same photo and never replaces a different photo`() async throws {
        let place = place()
        _ = try await place.upload(try item("a.jpg", Data("one".utf8))) { _ in }
        let again = try await place.upload(try item("a.jpg", Data("one".utf8))) { _ in }
        #expect(again.alreadyExisted)
        let other = try await place.upload(try item("a.jpg", Data("two".utf8))) { _ in }
        #expect(!other.alreadyExisted)
        #expect(other.remoteName != "a.jpg")
        let otherAgain = try await place.upload(try item("a.jpg", Data("two".utf8))) { _ in }
        #expect((otherAgain.alreadyExisted, otherAgain.remoteName) == (true, other.remoteName))
        #expect(try Data(contentsOf: URL(filePath: share + "/a.jpg")) == Data("one".utf8))
        #expect(try files() == ["a.jpg", other.remoteName])
    }

    @Test(arguments: [
        "", "..", "../a.jpg", "a/../b.jpg", "/etc/x", "a//b", "./a", ".framefast/destination",
        // The "/" and the combining character after it are one `Character`.
        "../\u{301}a.jpg", ".framefast/\u{301}a.jpg",
    ])
    func `refuses invalid and reserved names, and names outside the folder`(name: String) async throws {
        let item = try item(name, Data("x".utf8))
        let failure = await failure { () async throws(UploadFailure) in
            _ = try await place().upload(item) { _ in }
        }
        #expect(failure?.kind == .permanent(.unprocessable))
        #expect(try files().isEmpty)
    }

    @Test func `does not publish a file that differs from its recorded hash`() async throws {
        var item = try item("a.jpg", Data("one".utf8))
        item.sha256 = UploadRig.sha256(Data("two".utf8))
        let wanted = item
        let failure = await failure { () async throws(UploadFailure) in
            _ = try await place().upload(wanted) { _ in }
        }
        #expect(failure?.kind == .permanent(.fileChanged))
        #expect(try files().isEmpty)
    }

    @Test func `treats a replaced folder as an outage and writes no photos`() async throws {
        let place = place()
        _ = try await place.upload(try item("a.jpg", Data("one".utf8))) { _ in }
        let next = try item("b.jpg", Data("two".utf8))
        try FileManager.default.moveItem(atPath: share, toPath: share + "-away")
        for makesMountPoint in [false, true] {
            if makesMountPoint {
                try FileManager.default.createDirectory(atPath: share, withIntermediateDirectories: true)
            }
            for _ in 0..<2 {
                let failure = await failure { () async throws(UploadFailure) in
                    _ = try await place.upload(next) { _ in }
                }
                #expect(failure?.kind == .outage(retryAfterSeconds: nil))
                #expect(failure?.nextStep != nil)
                let probe = await self.failure { () async throws(UploadFailure) in try await place.probe() }
                #expect(probe?.kind == .outage(retryAfterSeconds: nil))
            }
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: share).isEmpty, "nothing was written there")
        try FileManager.default.removeItem(atPath: share)
        try FileManager.default.moveItem(atPath: share + "-away", toPath: share)
        _ = try await place.upload(next) { _ in }
        #expect(try files() == ["a.jpg", "b.jpg"])
        try FileManager.default.removeItem(atPath: share)
        try FileManager.default.createDirectory(atPath: share, withIntermediateDirectories: true)
        try await place.adoptPlace()
        _ = try await place.upload(next) { _ in }
        #expect(try files() == ["b.jpg"])
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting needs root"))
    func `reports an unmounted or full share, and uploads after the share is fixed`() async throws {
        let place = place(mustBeMount: true)
        let first = try item("a.jpg", Data(repeating: 1, count: 400_000))
        // The folder exists but is not a mount point. No photo was uploaded before.
        try FileManager.default.createDirectory(atPath: share, withIntermediateDirectories: true)
        let early = await failure { () async throws(UploadFailure) in
            _ = try await place.upload(first) { _ in }
        }
        #expect(early?.kind == .outage(retryAfterSeconds: nil))
        let disk = try SmallDisk(share, options: "size=1m")
        _ = try await place.upload(first) { _ in }
        try disk.fill()
        let second = try item("b.jpg", Data(repeating: 2, count: 400_000))
        let full = await failure { () async throws(UploadFailure) in
            _ = try await place.upload(second) { _ in }
        }
        #expect(full?.kind == .permanent(.full))
        #expect(full?.sentence.contains("is full") == true)
        #expect(try files() == ["a.jpg", "filler"], "the partial file is deleted")
        disk.remove()
        _ = try await place.upload(second) { _ in }
        try await place.test()
        #expect(try files() == ["a.jpg", "b.jpg"])
    }

    @Test func `delivers each photo once across repeated restarts`() async throws {
        let names = (0..<150).map { "photo \($0).jpg" }
        try await rig.save(names) { name in
            Data(repeating: UInt8(name.utf8.count), count: 50_000) + Data(name.utf8)
        }
        var delivered = 0
        var rounds = 0
        while delivered < names.count {
            rounds += 1
            // Each round uses a new store, as after a crash. The end of a round cancels the service, possibly
            // between any two steps.
            let store = try LedgerStore(path: rig.folder + "/ledger.sqlite")
            // The limit on deliveries holds even if the test receives the last event late.
            let service = try await rig.service(
                [rig.target(LimitedDestination(place(), uploads: 20), workers: 4)], store: store,
                clock: .system)
            let wanted = min(delivered + 17, names.count)
            try await rig.running(service) { await rig.wait(for: wanted, in: .delivered) }
            delivered = try await store.uploadCounts()["nas"]?[.delivered].jobs ?? 0
            try #require(rounds < 50)
        }
        #expect(rounds >= names.count / 20)
        #expect(try files() == Set(names), "each photo exists once, under one name")
        for name in names {
            #expect(
                try Data(contentsOf: URL(filePath: share + "/" + name))
                    == Data(repeating: UInt8(name.utf8.count), count: 50_000) + Data(name.utf8))
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: share + "/.framefast").filter {
            $0 != "destination"
        }
        #expect(left.isEmpty)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting needs root"))
    func `records deliveries on a full ledger disk by deleting the reserve file`() async throws {
        let disk = try SmallDisk(rig.folder + "/state", options: "size=8m")
        let store = try LedgerStore(path: disk.path + "/ledger.sqlite")
        let full = try UploadRig(folder: disk.path, store: store, photos: rig.folder + "/photos")
        try await full.save((0..<40).map { "\($0).jpg" })
        let scripted = ScriptedDestination()
        func service() async throws -> UploadService {
            try await UploadService(
                settings: UploadSettings(stateDirectory: disk.path, reserveBytes: 2 * 1_048_576),
                targets: [full.target(scripted)], store: store, logger: full.quiet
            ) { full.record($0) }
        }
        let planning = try await service()
        try await planning.pause()
        try await full.running(planning) {
            await full.events.wait {
                $0.contains { if case .statistics(let all) = $0 { all[0].counts.open == 40 } else { false } }
            }
        }
        try await planning.resume()
        try disk.fill()
        #expect(FileManager.default.fileExists(atPath: disk.path + "/ballast"))
        try await full.running(try await service()) { await full.wait(for: 40, in: .delivered) }
        #expect(
            !FileManager.default.fileExists(atPath: disk.path + "/ballast"), "the reserve file was deleted")
        #expect(scripted.uploaded.count == 40)
        #expect(try await store.uploadCounts()["nas"]?[.delivered].jobs == 40)
    }
}

/// A destination that delivers a limited number of uploads. Later uploads wait until they are cancelled.
private final class LimitedDestination: UploadDestination {
    private let destination: DirectoryDestination
    private let left: Mutex<Int>
    let acceptsProbes = true

    init(_ destination: DirectoryDestination, uploads: Int) {
        self.destination = destination
        left = Mutex(uploads)
    }

    func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        while !takes() {
            if Task.isCancelled { throw .stopped }
            try? await Task.sleep(for: .milliseconds(5))
        }
        do throws(UploadFailure) { return try await destination.upload(item, progress: progress) } catch {
            // A failed upload does not count toward the limit. Its retry does.
            left.withLock { $0 += 1 }
            throw error
        }
    }

    private func takes() -> Bool {
        left.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }

    func probe() async throws(UploadFailure) { try await destination.probe() }

    func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure) {
        try await destination.remove(probe, named: name)
    }

    func close() async { await destination.close() }
}
