import Foundation
import FrameFastSystem
import SystemPackage
import TestRig
import Testing

@testable import Simulation

/// Tests of the data that survives a power failure of the simulated disk.
@Suite struct PowerFailureTests {
    /// Enough seeds for each possible result of a change without a sync.
    private static let seeds: ClosedRange<UInt64> = 1...40
    private static let bytes = Data("the bytes of a photo".utf8)

    private static func disk(
        in folder: ScratchFolder, isJournaled: Bool = false, seed: UInt64 = 1
    ) throws -> SimulatedDisk {
        try SimulatedDisk(
            root: folder.path("disk"), trace: SimulationTrace(SimulationExecutor()),
            power: SimulatedDisk.Power(isJournaled: isJournaled, seed: seed))
    }

    /// Returns the files after a power failure, with each seed.
    private static func survivors(
        isJournaled: Bool = false, _ prepare: (SimulatedDisk) throws -> Void
    ) throws -> [[String: Data]] {
        try seeds.map { seed in
            let folder = try ScratchFolder()
            let disk = try Self.disk(in: folder, isJournaled: isJournaled, seed: seed)
            try prepare(disk)
            disk.cutPower()
            try disk.restart()
            return disk.files()
        }
    }

    private static func write(_ name: String, on disk: SimulatedDisk) throws {
        try bytes.write(to: URL(filePath: "\(disk.photos)/\(name)"))
    }

    private static func sync(_ name: String, on disk: SimulatedDisk) throws {
        try disk.willPerform(.sync, "\(disk.photos)/\(name)")
    }

    @Test(arguments: [false, true])
    func `synced bytes under a synced name survive each power failure`(isJournaled: Bool) throws {
        let results = try Self.survivors(isJournaled: isJournaled) { disk in
            try Self.write("photo", on: disk)
            try Self.sync("photo", on: disk)
            try disk.willPerform(.sync, disk.photos)
        }
        #expect(results.allSatisfy { $0 == ["photo": Self.bytes] })
    }

    @Test func `a name that was not synced survives only some power failures`() throws {
        let results = try Self.survivors { disk in
            try Self.write("photo", on: disk)
            try Self.sync("photo", on: disk)
        }
        #expect(Set(results) == [[:], ["photo": Self.bytes]])
    }

    @Test func `bytes that were not synced may be lost or truncated`() throws {
        let results = try Self.survivors { disk in
            try Self.write("photo", on: disk)
            try disk.willPerform(.sync, disk.photos)
        }
        let left = Set(results.compactMap { $0["photo"] })
        #expect(results.allSatisfy { Array($0.keys) == ["photo"] })
        #expect(left.contains(Self.bytes) && left.contains(Data()) && left.count == 4)
    }

    @Test func `a journaled disk keeps one name of a moved file`() throws {
        let results = try Self.survivors(isJournaled: true) { disk in
            try Self.write("part", on: disk)
            try Self.sync("part", on: disk)
            try FileManager.default.moveItem(
                atPath: "\(disk.photos)/part", toPath: "\(disk.photos)/photo")
        }
        #expect(Set(results) == [["part": Self.bytes], ["photo": Self.bytes]])
    }

    @Test func `a kill does not make a name durable`() throws {
        let results = try Self.survivors { disk in
            try Self.write("photo", on: disk)
            try Self.sync("photo", on: disk)
            disk.kill()
            try disk.restart()
            #expect(disk.files() == ["photo": Self.bytes])
        }
        #expect(Set(results) == [[:], ["photo": Self.bytes]])
    }

    @Test func `the power fails some calls after a failed folder sync`() throws {
        let folder = try ScratchFolder()
        let disk = try Self.disk(in: folder)
        disk.add(
            SimulatedDisk.Fault(
                call: .sync, after: 0, effect: .fail(.ioError), isOnlyForFolders: true, callsToPowerFailure: 1
            ))
        try Self.write("photo", on: disk)
        try Self.sync("photo", on: disk)
        #expect(throws: SystemCallError.self) { try disk.willPerform(.sync, disk.photos) }
        try disk.willPerform(.commit, "ledger")
        #expect(!disk.isKilled)
        #expect(throws: SystemCallError.self) { try disk.willPerform(.commit, "ledger") }
        #expect(disk.isKilled)
    }
}
