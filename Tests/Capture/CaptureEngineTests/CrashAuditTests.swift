import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import TestRig
import Testing

@testable import CaptureEngine

/// Tests of the check of saved photos after a crash, with virtual time.
@Suite(.blocking) struct CrashAuditTests {
    private let scratch: ScratchFolder
    private let ledger: LedgerStore
    private let conditionBoard = ConditionBoard { _ in }
    private let time = VirtualClock()

    init() throws {
        scratch = try ScratchFolder()
        ledger = try LedgerStore(path: scratch.path("ledger.sqlite"))
        try DurableFile.createFolder(scratch.path("photos"))
    }

    /// Saves photos of six bytes, and returns their paths.
    private func savePhotos(_ names: String...) async throws -> [String] {
        var paths: [String] = []
        for name in names {
            let photo = EarlierPhoto(
                object: CameraObject(folder: "/DCIM", name: "\(name).JPG", size: 6, cameraTime: 1),
                bytes: Data("photo\(name)".utf8))
            let id = try await photo.save(in: ledger, scratch.url.path)
            paths.append(try #require(try await ledger.capture(id: id)?.path))
        }
        return paths
    }

    /// Truncates a file.
    ///
    /// - Parameter modified: The new modification time of the file.
    private func truncate(_ path: String, modified: Date) throws {
        try Data("pho".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.modificationDate: modified], ofItemAtPath: path)
    }

    /// Creates the audit of a run that started an hour ago and crashed.
    private func audit(since: Date = Date().addingTimeInterval(-3_600)) -> CrashAudit {
        var clock = time.hostClock
        clock.now = { Date().addingTimeInterval(1) }
        return CrashAudit(
            since: since, ledger: ledger, conditionBoard: conditionBoard, logger: Logger(label: "test"),
            clock: clock)
    }

    private var condition: Condition? {
        conditionBoard.current.first { $0.kind == .savedPhotosDamaged }
    }

    /// Advances the time until `look` returns a value.
    @discardableResult
    private func advance<Value>(until what: String, _ look: () throws -> Value?) async throws -> Value {
        try await eventually(what) {
            time.advance(by: .seconds(5))
            return try look()
        }
    }

    @Test func `reports missing and truncated photos until their files are back`() async throws {
        let paths = try await savePhotos("A", "B", "C", "D")
        try FileManager.default.removeItem(atPath: paths[1])
        try truncate(paths[2], modified: Date(timeIntervalSince1970: 1))
        let audit = audit()
        let check = Task { try await audit.checkPhotos() }
        defer { check.cancel() }
        let both = try await advance(until: "the condition") { condition }
        #expect(both.sentence.hasPrefix("2 photos that were saved before a crash are missing or damaged"))
        #expect(both.sentence.contains(paths[1]), "\(both.sentence)")
        #expect(both.nextStep.contains("Otherwise, put the files back"))
        #expect(audit.isComplete)

        try Data("photoB".utf8).write(to: URL(filePath: paths[1]))
        try await advance(until: "one photo to remain") {
            condition?.sentence == "1 photo that was saved before a crash is missing or damaged: \(paths[2])."
                ? () : nil
        }
        try Data("photoC".utf8).write(to: URL(filePath: paths[2]))
        try await advance(until: "the condition to end") { condition == nil ? () : nil }
        try await check.value
    }

    @Test func `ignores edited photos and photos of earlier runs`() async throws {
        let edited = try await savePhotos("A")[0]
        try truncate(edited, modified: Date().addingTimeInterval(3_600))
        let audit = audit()
        let check = Task { try await audit.checkPhotos() }
        defer { check.cancel() }
        try await advance(until: "the check to end") { audit.isComplete ? () : nil }
        try await check.value

        try FileManager.default.removeItem(atPath: edited)
        // The run that crashed started after the photo was saved.
        try await self.audit(since: Date().addingTimeInterval(3_600)).checkPhotos()
        #expect(condition == nil)
    }

    @Test func `waits while the capture folder is unavailable`() async throws {
        let path = try await savePhotos("A")[0]
        let away = path + ".away"
        try FileManager.default.moveItem(atPath: path, toPath: away)
        conditionBoard.raise(.photosAway, sentence: "", nextStep: "")
        let audit = audit()
        let check = Task { try await audit.checkPhotos() }
        defer { check.cancel() }
        for _ in 1...5 {
            await time.hasSleeper()
            #expect(!audit.isComplete)
            time.advance(by: .seconds(60))
        }
        try FileManager.default.moveItem(atPath: away, toPath: path)
        conditionBoard.clear(.photosAway)
        try await advance(until: "the check to end") { audit.isComplete ? () : nil }
        try await check.value
        #expect(condition == nil)
    }
}
