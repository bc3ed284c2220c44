import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import Store
import Synchronization
import TestRig
import Testing

@testable import UploadEngine

/// Tests that only delivered and unchanged files are removed after their retention time.
@Suite(.blocking, .timeLimit(.minutes(10))) struct RetentionTests {
    private static let day = 86_400.0

    private let rig: UploadRig
    private let nas = ScriptedDestination()

    init() throws {
        rig = try UploadRig()
        // The real clock sets the date of saving. The service's clock must not be behind the real clock,
        // however long the test takes.
        rig.time.advance(Date().timeIntervalSince(rig.time.now) + 3_600)
    }

    private func session(_ keep: RetentionRule?) async throws -> SessionID {
        let session = try await rig.store.startSession(name: "Wedding", at: rig.time.now)
        _ = try await rig.store.setRetention(keep, session: session.id)
        return session.id
    }

    private func path(_ id: CaptureID) async throws -> String {
        try #require(try await rig.store.capture(id: id)?.path)
    }

    /// Returns the ledger numbers of photos whose files exist.
    private func existingPhotos() async throws -> [CaptureID] {
        var found: [CaptureID] = []
        for record in try await rig.store.captures(CaptureQuery(limit: 100)).map(\.record) {
            if let path = record.path, FileManager.default.fileExists(atPath: path) {
                found.append(record.id)
            }
        }
        return found.sorted()
    }

    private func clearedInLedger() async throws -> [CaptureID] {
        try await rig.store.captures(CaptureQuery(limit: 100)).map(\.record).filter { $0.clearedAt != nil }
            .map(\.id)
            .sorted()
    }

    private func deliver(_ names: [String], session: SessionID? = nil) async throws {
        try await rig.save(names, session: session)
        let service = try await rig.service([rig.target(nas)])
        let before = rig.deliveries.all.count
        try await rig.running(service) { await rig.wait(for: before + names.count, in: .delivered) }
    }

    @Test func `removes a photo's file after its last delivery`()
        async throws
    {
        try await rig.save(["a.jpg", "b.jpg"], session: session(.untilDelivered))
        let s3 = ScriptedDestination()
        s3.fail("b.jpg", UploadFailure(.permanent(.forbidden), "No."))
        let service = try await rig.service([rig.target(nas), rig.target(s3, name: "s3")])
        try await rig.running(service) {
            await rig.wait(for: 1, in: .failed)
            await rig.events.wait { $0.cleared == [1] }
            #expect(try await existingPhotos() == [2])
            s3.fail("b.jpg", nil)
            _ = try await service.retry(UploadFilter(state: .failed))
            await rig.events.wait { $0.cleared == [1, 2] }
        }
        #expect(try await existingPhotos() == [])
        let record = try #require(try await rig.store.capture(id: 1))
        #expect(record.state == .saved && record.path != nil && record.sha256 != nil)
        #expect(try await rig.store.interruptedClearings().isEmpty)
        let summary = try #require(try await rig.store.storageSummaries().first).summary
        #expect(summary.cleared.files == 2 && summary.total.files == 0)
    }

    @Test func `removes files by their session's rule, or by the default rule`()
        async throws
    {
        try await deliver(["ours.jpg"], session: session(.days(7)))
        try await deliver(["usual.jpg"], session: session(nil))
        try await deliver(["none.jpg"])
        let service = try await rig.service([rig.target(nas)], keep: .days(30))
        try await rig.running(service) {
            try await rig.advanceClock(by: Self.day / 4) { rig.events.all.cleared == [1, 2, 3] }
        }
        for (id, days) in [(1, 7.0), (2, 30), (3, 30)] {
            let record = try #require(try await rig.store.capture(id: CaptureID(rawValue: Int64(id))))
            let (saved, cleared) = (try #require(record.savedAt), try #require(record.clearedAt))
            #expect(cleared.timeIntervalSince(saved) > days * Self.day)
        }
    }

    /// A Raspberry Pi without a network saves photos with an old date. The first photo's camera has the right
    /// time.
    @Test func `keeps a photo from before the clock was set, by its camera's time`() async throws {
        let taken = rig.time.now.addingTimeInterval(60 * Self.day)
        let wedding = try await session(.days(7))
        try await rig.save(["a.jpg"], session: wedding, cameraTime: Int64(taken.timeIntervalSince1970))
        try await rig.save(["b.jpg"], session: wedding)
        let first = try await rig.service([rig.target(nas)])
        try await rig.running(first) { await rig.wait(for: 2, in: .delivered) }
        rig.time.advance(60 * Self.day)
        let second = try await rig.service([rig.target(nas)])
        try await rig.running(second) {
            await rig.events.wait { $0.cleared == [2] }
            #expect(try await existingPhotos() == [1])
            let week = rig.time.now.addingTimeInterval(-7 * Self.day)
            let old = try await second.clearDelivered(session: wedding, savedBefore: week, isTrial: true)
            #expect(old.files == 0)
            try await rig.advanceClock(by: Self.day / 4) { rig.events.all.cleared == [2, 1] }
        }
        let cleared = try #require(try await rig.store.capture(id: 1)?.clearedAt)
        #expect(cleared.timeIntervalSince(taken) > 6 * Self.day)
    }

    @Test func `never removes photos that are undelivered or without destination`() async throws {
        let wedding = try await session(.untilDelivered)
        try await rig.save(["held.jpg", "away.jpg", "nowhere.cr3", "sent.jpg"], session: wedding)
        let gone = ScriptedDestination(.away)
        let pictures = UploadRule(types: [.kind(.picture)])
        let service = try await rig.service([
            rig.target(nas, rule: pictures), rig.target(gone, name: "s3", rule: pictures),
        ])
        try await rig.running(service) {
            await rig.wait(for: 3, in: .delivered)
            let jobs = try await rig.store.uploads(UploadFilter(destination: "s3"), limit: 9)
            _ = try await service.hold(UploadFilter(ids: jobs.filter { $0.captureID == 1 }.map(\.id)))
            // The clock advances by years.
            for _ in 0..<5 { rig.time.advance(400 * Self.day) }
            gone.setBehavior(.works)
            try await rig.advanceClock(by: 60) { Set(rig.events.all.cleared) == [2, 4] }
            #expect(
                try await service.clearDelivered(session: nil, savedBefore: rig.time.now, isTrial: false)
                    == ClearedPhotos())
        }
        #expect(try await existingPhotos() == [1, 3])
        #expect(try await clearedInLedger() == [2, 4])
    }

    private func clear(
        _ service: UploadService, _ session: SessionID?, before: Date, isTrial: Bool = false
    ) async throws -> ClearedPhotos {
        try await service.clearDelivered(session: session, savedBefore: before, isTrial: isTrial)
    }

    @Test func `the rule 'forever' keeps files until a person clears them`() async throws {
        let wedding = try await session(nil)
        try await deliver(["a.jpg", "b.jpg"], session: wedding)
        try await deliver(["c.jpg"])
        let service = try await rig.service([rig.target(nas)])
        try await rig.running(service) {
            let now = rig.time.now
            let old = try await clear(service, nil, before: now.addingTimeInterval(-Self.day))
            #expect(old == ClearedPhotos())
            #expect(try await clear(service, nil, before: now, isTrial: true).files == 3)
            #expect(try await existingPhotos() == [1, 2, 3])
            let bytes = UInt64("bytes of a.jpg".utf8.count * 2)
            #expect(try await clear(service, wedding, before: now) == ClearedPhotos(files: 2, bytes: bytes))
            #expect(try await existingPhotos() == [3])
            #expect(try await clear(service, nil, before: now).files == 1)
            await #expect(throws: UploadService.VerbError.noSuchSession(77)) {
                try await clear(service, 77, before: now)
            }
            // A photo without a file can't be uploaded.
            #expect(try await service.add(session: wedding) == 0)
        }
        #expect(try await existingPhotos() == [])
    }

    /// Recovery runs while a person clears photos. Recovery must not complete this clearing as if a crash had
    /// interrupted it.
    @Test func `recovery does not complete a running clearing`() async throws {
        let clearing = PhotoClearing(
            store: rig.store, clock: rig.time.clock, files: BlockingPool(label: "clearing", width: 1),
            logger: rig.quiet)
        for round in 1...3 {
            try await deliver(["\(round).jpg"])
            let photo = try #require(try await rig.store.captures(CaptureQuery(limit: 1)).first?.record)
            let hasEnded = Mutex(false)
            let clear = Task {
                defer { hasEnded.withLock { $0 = true } }
                return try await clearing.clear([photo])
            }
            // Calls recovery repeatedly during the clearing. While the clearing holds the mutex, the call
            // waits.
            var resumed = PhotoClearing.Outcome()
            while !hasEnded.withLock(\.self), resumed == PhotoClearing.Outcome() {
                resumed = try await clearing.resumeInterrupted()
            }
            #expect(try await clear.value.gone.map(\.id) == [photo.id])
            #expect(resumed == PhotoClearing.Outcome())
            #expect(try await rig.store.capture(id: photo.id)?.clearedAt != nil)
        }
        #expect(try await existingPhotos() == [])
    }

    @Test func `clears a photo later if its file was missing only during the removal`() async throws {
        try await deliver(["a.jpg"])
        let photo = try #require(try await rig.store.capture(id: 1))
        let path = try await path(1)
        let clearing = PhotoClearing(
            store: rig.store, clock: rig.time.clock, files: BlockingPool(label: "clearing", width: 1),
            logger: rig.quiet)
        let clear = try await rig.blockingWriter {
            let clear = Task { try await clearing.clear([photo]) }
            // The check of the file is complete. The removal waits for the ledger.
            try await rig.waitForChanges(1)
            try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
            return clear
        }
        let kept = try await clear.value
        #expect(kept.kept == 1 && kept.unremovable.isEmpty)
        try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
        #expect(try await clearing.clear([photo]).gone.map(\.id) == [1])
    }

    @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount"))
    func `does not read photos on a read-only disk, and clears them later`() async throws {
        let disk = try SmallDisk(rig.folder + "/disk", options: "size=1m")
        try await rig.save(["a.jpg"], in: disk.path)
        let service = try await rig.service([rig.target(nas)])
        try await rig.running(service) { await rig.wait(for: 1, in: .delivered) }
        let photo = try #require(try await rig.store.capture(id: 1))
        let file = URL(filePath: try await path(1))
        let clearing = PhotoClearing(
            store: rig.store, clock: rig.time.clock, files: BlockingPool(label: "clearing", width: 1),
            logger: rig.quiet)
        // A check that reads the file would report that it differs.
        try Data("BYTES of a.jpg".utf8).write(to: file)
        try #require(
            mount("ff", disk.path, "tmpfs", UInt(MS_REMOUNT) | UInt(MS_RDONLY), "size=1m") == 0)
        let kept = try await clearing.clear([photo])
        #expect(kept.kept == 1 && kept.unremovable.isEmpty)
        try #require(mount("ff", disk.path, "tmpfs", UInt(MS_REMOUNT), "size=1m") == 0)
        try Data("bytes of a.jpg".utf8).write(to: file)
        #expect(try await clearing.clear([photo]).gone.map(\.id) == [1])
        withExtendedLifetime(disk) {}
    }

    enum FileChange: String, CaseIterable { case edited, cut, link, missing }

    @Test(arguments: FileChange.allCases)
    func `keeps a file that differs from the saved photo`(change: FileChange) async throws {
        let wedding = try await session(.forever)
        try await deliver(["a.jpg", "sound.jpg"], session: wedding)
        let path = try await path(1)
        let saved = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
        switch change {
        case .edited:
            // The file has the same size and modification time. Only its bytes differ.
            try Data("BYTES of a.jpg".utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes(
                [.modificationDate: try #require(saved)], ofItemAtPath: path)
        case .cut: try Data("bytes".utf8).write(to: URL(filePath: path))
        case .link:
            try FileManager.default.moveItem(atPath: path, toPath: path + ".mine")
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".mine")
        case .missing: try FileManager.default.removeItem(atPath: path)
        }
        let service = try await rig.service([rig.target(nas)])
        try await rig.running(service) {
            try await service.setRetention(.untilDelivered, session: wedding)
            await rig.events.wait { $0.cleared == [2] }
            let asked = try await service.clearDelivered(
                session: wedding, savedBefore: rig.time.now, isTrial: false)
            #expect(asked == ClearedPhotos(files: 0, bytes: 0, kept: 1))
        }
        #expect(try await clearedInLedger() == [2])
        let names = try FileManager.default.contentsOfDirectory(atPath: rig.photos)
        #expect(names.count == (change == .missing ? 0 : change == .link ? 2 : 1))
    }

    @Test func `completes an interrupted clearing after a crash`() async throws {
        let wedding = try await session(.forever)
        try await deliver(["removed.jpg", "there.jpg", "edited.jpg", "other.jpg"], session: wedding)
        #expect(try await rig.store.beginClearing([1, 2, 3], at: rig.time.now) == [1, 2, 3])
        try await FileManager.default.removeItem(atPath: path(1))
        try await Data("by somebody".utf8).write(to: URL(filePath: path(3)))
        let service = try await rig.service([rig.target(nas)])
        try await rig.running(service) { await rig.events.wait { $0.cleared == [1, 2] } }
        #expect(try await existingPhotos() == [3, 4])
        #expect(try await clearedInLedger() == [1, 2])
        #expect(try await rig.store.interruptedClearings().isEmpty)
    }

    enum Absence: String, CaseIterable {
        /// The folder of the photos is missing.
        case folder
        /// The folder exists and is empty, like the mount point of an unmounted disk.
        case mountPoint
    }

    @Test(arguments: Absence.allCases)
    func `keeps an interrupted clearing pending while its disk is unmounted`(absence: Absence)
        async throws
    {
        try await deliver(["a.jpg"], session: session(.forever))
        try await rig.save(
            ["b.jpg"], in: rig.folder + "/elsewhere", session: session(.untilDelivered))
        #expect(try await rig.store.beginClearing([1], at: rig.time.now) == [1])
        let (photos, away) = (rig.photos, rig.photos + ".away")
        try FileManager.default.moveItem(atPath: photos, toPath: away)
        if absence == .mountPoint {
            try FileManager.default.createDirectory(atPath: photos, withIntermediateDirectories: false)
        }
        let service = try await rig.service([rig.target(nas)])
        try await rig.running(service) {
            // Recovery runs before photo 2 is cleared.
            await rig.events.wait { $0.cleared.contains(2) }
            #expect(rig.events.all.cleared == [2])
            #expect(try await rig.store.interruptedClearings().map(\.id) == [1])
            if absence == .mountPoint { try FileManager.default.removeItem(atPath: photos) }
            try FileManager.default.moveItem(atPath: away, toPath: photos)
            try await rig.advanceClock(by: Self.day / 48) { rig.events.all.cleared == [2, 1] }
        }
        #expect(try await existingPhotos() == [])
        #expect(try await rig.store.interruptedClearings().isEmpty)
    }

    @Test func `completes the clearing of the last photo in a folder`() async throws {
        try await deliver(["a.jpg"], session: session(.forever))
        #expect(try await rig.store.beginClearing([1], at: rig.time.now) == [1])
        try await FileManager.default.removeItem(atPath: path(1))
        // The removal of the photo changed the folder after the start of the clearing.
        try FileManager.default.setAttributes([.modificationDate: rig.time.now], ofItemAtPath: rig.photos)
        let service = try await rig.service([rig.target(nas)])
        try await rig.running(service) { await rig.events.wait { $0.cleared == [1] } }
        #expect(try await rig.store.interruptedClearings().isEmpty)
    }

    @Test func `after a crash, removes a duplicate's file that has wrong bytes`() async throws {
        try await rig.save(["a.jpg"])
        let original = try #require(try await rig.store.capture(id: 1))
        try await rig.store.markAllPast(camera: original.bodyID)
        let copy = try #require(
            try await rig.store.recordSeen(
                [original.object], camera: original.bodyID, session: nil, at: rig.time.now
            ).first)
        let (path, wrong) = (rig.photos + "/copy.jpg", Data("wrong of a.jpg".utf8))
        let naming = LedgerStore.NamingPolicy(
            counterScope: { "\($0.id)" }, path: { _, _ in path }, pairSettleSeconds: 0, rereads: true)
        let arrival = Arrival(
            id: copy.id, bytes: UInt64(wrong.count), sha256: UploadRig.sha256(wrong), transferMs: 1)
        _ = try await rig.store.beginPublishing([arrival], naming: naming)
        try wrong.write(to: URL(filePath: path))
        try await rig.store.finishPublishing([copy.id], at: Date())
        let reading = Arrival(
            id: copy.id, bytes: try #require(original.bytes), sha256: try #require(original.sha256),
            transferMs: 1)
        #expect(try await rig.store.recordDuplicate(reading, at: rig.time.now)?.path == path)
        let service = try await rig.service([rig.target(nas)])
        try await rig.running(service) {
            let store = rig.store
            _ = try await eventually("the recovery after the crash") {
                try await store.interruptedClearings().isEmpty ? true : nil
            }
        }
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try await existingPhotos() == [1])
    }

    @Test func `after a crash, keeps a symbolic link with a photo's name`() async throws {
        try await deliver(["a.jpg"], session: session(.forever))
        #expect(try await rig.store.beginClearing([1], at: rig.time.now) == [1])
        let path = try await path(1)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".mine")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".mine")
        let service = try await rig.service([rig.target(nas)])
        try await rig.running(service) {
            let store = rig.store
            _ = try await eventually("the recovery after the crash") {
                try await store.interruptedClearings().isEmpty ? true : nil
            }
        }
        #expect(try await clearedInLedger() == [])
        #expect(FileManager.default.fileExists(atPath: path + ".mine"))
    }
}

extension [UploadEvent] {
    /// The ledger numbers of the removed photos, in order.
    fileprivate var cleared: [CaptureID] {
        flatMap {
            guard case .photosCleared(let photos) = $0 else { return [] as [CaptureID] }
            return photos.map(\.id)
        }
    }
}
