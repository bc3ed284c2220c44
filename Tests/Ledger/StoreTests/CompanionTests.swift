import Foundation
import FrameFastModel
import TestRig
import Testing

@testable import Store

/// Tests that each file gets the number of its shot. The files of a shot may be saved in any order.
@Suite struct CompanionTests {
    private static let now = Date(timeIntervalSince1970: 1_795_271_130)

    @Test(arguments: [
        ["DSC_1.JPG", "DSC_1.NEF", "DSC_1.WAV"], ["DSC_1.JPG", "DSC_1.WAV", "DSC_1.NEF"],
        ["DSC_1.NEF", "DSC_1.WAV", "DSC_1.JPG"], ["DSC_1.WAV", "DSC_1.JPG", "DSC_1.NEF"],
        ["DSC_1.WAV", "DSC_1.NEF", "DSC_1.JPG"],
    ])
    func `RAW file, JPEG and sound get the same number in any order`(order: [String]) async throws {
        let scratch = try ScratchFolder()
        let ledger = try LedgerStore(path: scratch.path("ledger.sqlite"))
        let objects = ["DSC_1.JPG", "DSC_1.NEF", "DSC_1.WAV"].map {
            CameraObject(folder: "/store_1/A", name: $0, size: 10, cameraTime: 1_795_271_130)
        }
        let seen = try await ledger.recordSeen(objects, camera: "a", session: nil, at: Self.now)
        let naming = LedgerStore.NamingPolicy(
            counterScope: { _ in "all" }, path: { record, number in "/c/\(number)-\(record.object.name)" },
            pairSettleSeconds: 1)
        for name in order {
            let record = try #require(seen.first { $0.object.name == name })
            _ = try await ledger.beginPublishing(
                [Arrival(id: record.id, bytes: 10, sha256: name, transferMs: 1)], naming: naming)
            try await ledger.finishPublishing([record.id], at: Self.now)
        }
        let records = try await ledger.captures(CaptureQuery(limit: 9)).map(\.record)
        #expect(records.compactMap(\.counter) == [1, 1, 1])
    }

    @Test(arguments: [["DSC_1.NEF", "DSC_1.JPG"], ["DSC_1.JPG", "DSC_1.NEF"]])
    func `RAW file and JPEG get the same name despite a template change`(order: [String])
        async throws
    {
        let scratch = try ScratchFolder()
        let ledger = try LedgerStore(path: scratch.path("ledger.sqlite"))
        let objects = (order + ["DSC_2.JPG"]).enumerated().map { index, name in
            CameraObject(
                folder: "/store_1/A", name: name, size: 10, cameraTime: 1_795_271_130 + Int64(index / 2 * 60))
        }
        let seen = try await ledger.recordSeen(objects, camera: "a", session: nil, at: Self.now)
        let templates = [("all", "/c/old"), ("camera", "/c/new"), ("camera", "/c/new")].map { scope, folder in
            LedgerStore.NamingPolicy(
                counterScope: { _ in scope },
                path: { "\(folder)/\($1).\(SafeName.split($0.object.name).ext)" }, pairSettleSeconds: 1)
        }
        for (record, naming) in zip(seen, templates) {
            _ = try await ledger.beginPublishing(
                [Arrival(id: record.id, bytes: 10, sha256: record.object.name, transferMs: 1)], naming: naming
            )
            try await ledger.finishPublishing([record.id], at: Self.now)
        }
        let paths = try await ledger.captures(CaptureQuery(limit: 9)).compactMap(\.record.path)
        let extensions = order.map { SafeName.split($0).ext }
        #expect(Set(paths) == ["/c/old/1.\(extensions[0])", "/c/old/1.\(extensions[1])", "/c/new/1.JPG"])
    }

    /// The photo's path differs from the template, because the planned name was in use.
    @Test(arguments: [("DSC_1.WAV", "/c/1-2.WAV"), ("DSC_1", "/c/1-2")])
    func `a companion gets its photo's name, and no period without an extension`(
        name: String, expected: String
    ) async throws {
        let scratch = try ScratchFolder()
        let ledger = try LedgerStore(path: scratch.path("ledger.sqlite"))
        let object = CameraObject(
            folder: "/store_1/A", name: "DSC_1.JPG", size: 10, cameraTime: 1_795_271_130)
        let seen = try await ledger.recordSeen([object], camera: "a", session: nil, at: Self.now)
        var leader = try #require(seen.first)
        leader.path = "/c/1-2.JPG"
        var companion = leader
        companion.object.name = name
        let naming = LedgerStore.NamingPolicy(
            counterScope: { _ in "all" },
            path: { record, number in
                let ext = SafeName.split(record.object.name).ext
                return "/c/\(number)" + (ext.isEmpty ? "" : "." + ext)
            }, pairSettleSeconds: 1)
        #expect(LedgerStore.path(of: companion, as: leader, counter: 1, naming) == expected)
    }

    /// If exactly one of two dates is implausible, files with the same stem that were announced within an
    /// hour make a pair. The third file has the same stem, but the shot already has both of its files.
    @Test(arguments: [12 as Int64, 312_768_000, 4_102_444_800], ["DSC_1.JPG", "DSC_1.NEF"])
    func `a file with an implausible date does not join a complete shot`(
        bogus: Int64, name: String
    ) async throws {
        let scratch = try ScratchFolder()
        let ledger = try LedgerStore(path: scratch.path("ledger.sqlite"))
        let naming = LedgerStore.NamingPolicy(
            counterScope: { _ in "all" }, path: { record, number in "/c/\(number)-\(record.object.name)" },
            pairSettleSeconds: 1)
        let files: [(name: String, time: Int64)] = [
            ("DSC_1.NEF", 1_795_271_130), ("DSC_1.JPG", 1_795_271_130), (name, bogus),
        ]
        var ids: [CaptureID] = []
        for (index, file) in files.enumerated() {
            let object = CameraObject(
                folder: "/store_1/A", name: file.name, size: 10, cameraTime: file.time)
            let seen = try await ledger.recordSeen([object], camera: "a", session: nil, at: Self.now)
            let id = try #require(seen.first?.id)
            ids.append(id)
            _ = try await ledger.beginPublishing(
                [Arrival(id: id, bytes: 10, sha256: "photo \(index)", transferMs: 1)], naming: naming)
            try await ledger.finishPublishing([id], at: Self.now)
        }
        let records = try await ledger.captures(ids: Set(ids))
        #expect(ids.map { records[$0]?.counter } == [1, 1, 2])
        #expect(ids.map { records[$0]?.pairID } == [ids[0], ids[0], nil])
        #expect(records[ids[2]]?.path == "/c/2-\(name)")
    }
}
