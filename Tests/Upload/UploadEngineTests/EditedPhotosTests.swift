import Foundation
import FrameFastModel
import Store
import TestRig
import Testing

@testable import UploadEngine

/// Tests that add photos by number. In most tests, the files of the photos were edited, truncated or deleted
/// after they were saved.
@Suite(.blocking, .timeLimit(.minutes(10))) struct EditedPhotosTests {
    private let rig: UploadRig

    init() throws { rig = try UploadRig() }

    /// Saves photos, and then overwrites their files with other bytes.
    ///
    /// - Returns: The photos by name.
    private func save(_ files: [String: String]) async throws -> [String: CaptureID] {
        try await rig.save(files.keys.sorted())
        var ids: [String: CaptureID] = [:]
        for record in try await rig.store.captures(CaptureQuery(limit: 9)).map(\.record) {
            let (path, name) = (try #require(record.path), record.object.name)
            try Data(try #require(files[name]).utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes(
                [.modificationDate: Date().addingTimeInterval(60)], ofItemAtPath: path)
            ids[name] = record.id
        }
        return ids
    }

    private func path(_ id: CaptureID) async throws -> String {
        try #require(try await rig.store.captures(ids: [id])[id]?.path)
    }

    @Test func `sends edited files after an add by number, not after a retry`() async throws {
        let ids = try await save([
            "longer.xmp": "edited with more bytes", "other.xmp": "BYTES of other.xmp",
        ])
        let place = ScriptedDestination()
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await rig.wait(for: 2, in: .failed)
            let steps = rig.events.all.jobs.values.compactMap(\.nextStep)
            #expect(steps.allSatisfy { $0.contains("framefast queue add ") })
            #expect(try await service.retry(UploadFilter(state: .failed)) == 2)
            // Counts the failures, because `retry` may report a queued job after its second failure.
            await rig.events.wait { $0.count { $0.isJob(in: .failed) } >= 4 }
            #expect(place.uploaded.isEmpty)
            let added = try await service.add(captures: Array(ids.values), to: ["nas"])
            #expect(added == 2)
            await rig.wait(for: 2, in: .delivered)
        }
        #expect(Set(place.uploaded) == ["longer.xmp", "other.xmp"])
    }

    @Test func `adds no photo if one of them is edited and damaged`() async throws {
        let ids = try await save(["cut.jpg": "no JPEG any more", "other.xmp": "BYTES of other.xmp"])
        let cut = try #require(ids["cut.jpg"])
        let place = ScriptedDestination()
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await rig.wait(for: 2, in: .failed)
            let refusal = await #expect(throws: UploadService.VerbError.self) {
                try await service.add(captures: Array(ids.values), to: ["nas"])
            }
            let words = refusal?.description ?? ""
            #expect(words.hasPrefix("cannot add photo \(cut): the file "), "\(words)")
            #expect(words.contains("was changed after it was saved, and is damaged: "), "\(words)")
            let records = try await rig.store.captures(ids: Set(ids.values)).values
            #expect(
                records.allSatisfy {
                    $0.sha256 == UploadRig.sha256(Data("bytes of \($0.object.name)".utf8))
                }, "nothing was recorded")
            let failed = try await rig.store.uploads(UploadFilter(state: .failed), limit: 9)
            #expect(failed.count == 2)
            let added = try await service.add(captures: [try #require(ids["other.xmp"])], to: ["nas"])
            #expect(added == 1)
            await rig.wait(for: 1, in: .delivered)
        }
        #expect(place.uploaded == ["other.xmp"])
    }

    @Test func `refuses to add a photo whose file is missing`() async throws {
        let ids = try await save(["gone.jpg": "x", "here.xmp": "BYTES of here.xmp"])
        let gone = try #require(ids["gone.jpg"])
        let file = try await path(gone)
        try FileManager.default.removeItem(atPath: file)
        let service = try await rig.service([rig.target(ScriptedDestination())])
        try await rig.running(service) {
            await rig.wait(for: 2, in: .failed)
            await #expect(
                throws: UploadService.VerbError.cannotBeSent([
                    .init(id: gone, reason: "the file \(file) does not exist")
                ])
            ) {
                try await service.add(captures: [gone], to: ["nas"])
            }
        }
    }

    @Test func `error counts photos that can't be added and explains three`() async throws {
        let names = (1...5).map { "cut\($0).jpg" }
        var files = Dictionary(uniqueKeysWithValues: names.map { ($0, "no JPEG any more") })
        files["other.xmp"] = "BYTES of other.xmp"
        let ids = try await save(files)
        let bad = try names.map { try #require(ids[$0]) }.sorted()
        let service = try await rig.service([rig.target(ScriptedDestination())])
        try await rig.running(service) {
            await rig.wait(for: 6, in: .failed)
            let refusal = await #expect(throws: UploadService.VerbError.self) {
                try await service.add(captures: Array(ids.values), to: ["nas"])
            }
            guard case .cannotBeSent(let photos) = refusal else {
                Issue.record("\(refusal as Any)")
                return
            }
            #expect(photos.map(\.id) == bad)
            let words = refusal?.description ?? ""
            #expect(words.hasPrefix("cannot add 5 photos; photo \(bad[0]): the file "), "\(words)")
            #expect(words.contains("photo \(bad[2]): ") && !words.contains("photo \(bad[3]): "), "\(words)")
            #expect(words.hasSuffix("; and 2 more"), "\(words)")
        }
    }

    @Test func `adds an unedited photo even if its structure looks damaged`() async throws {
        try await rig.save(["odd.jpg"])
        let place = ScriptedDestination()
        place.fail("odd.jpg", UploadFailure(.permanent(.tooLarge), "It is too large."))
        let service = try await rig.service([rig.target(place)])
        try await rig.running(service) {
            await rig.wait(for: 1, in: .failed)
            place.fail("odd.jpg", nil)
            let ids = try await rig.store.captures(CaptureQuery(limit: 9)).map(\.record.id)
            let added = try await service.add(captures: ids, to: ["nas"])
            #expect(added == 1)
            await rig.wait(for: 1, in: .delivered)
        }
        #expect(place.uploaded == ["odd.jpg"])
    }

    @Test func `does not read the file of a delivered photo`() async throws {
        try await rig.save(["a.jpg"])
        let service = try await rig.service([rig.target(ScriptedDestination())])
        try await rig.running(service) {
            await rig.wait(for: 1, in: .delivered)
            let ids = try await rig.store.captures(CaptureQuery(limit: 9)).map(\.record.id)
            try Data("no JPEG any more".utf8).write(
                to: URL(filePath: try await path(try #require(ids.first))))
            let added = try await service.add(captures: ids, to: ["nas"])
            #expect(added == 0)
        }
    }
}
