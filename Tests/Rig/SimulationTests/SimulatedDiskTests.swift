import FrameFastSystem
import TestRig
import Testing

@testable import Simulation

/// Tests of the kills at fault points.
@Suite struct SimulatedDiskTests {
    private static func disk(in folder: ScratchFolder) throws -> SimulatedDisk {
        try SimulatedDisk(root: folder.path("disk"), trace: SimulationTrace(SimulationExecutor()))
    }

    @Test func `kills the service at the given pass of a fault point`() throws {
        let folder = try ScratchFolder()
        let disk = try Self.disk(in: folder)
        disk.add(SimulatedDisk.PointKill(point: .photoRenamed, after: 1))
        disk.pass(.photoRenamed)
        disk.pass(.namesSynced)
        #expect(!disk.isKilled)
        disk.pass(.photoRenamed)
        #expect(disk.isKilled)
        #expect(disk.count(of: .photoRenamed).passes == 2)
        #expect(disk.count(of: .photoRenamed).kills == 1)
    }

    @Test func `a killed service passes no fault point`() throws {
        let folder = try ScratchFolder()
        let disk = try Self.disk(in: folder)
        disk.add(SimulatedDisk.PointKill(point: .namesSynced, after: 0))
        disk.kill()
        disk.pass(.namesSynced)
        #expect(disk.count(of: .namesSynced).passes == 0)
        try disk.restart()
        disk.pass(.namesSynced)
        #expect(disk.isKilled)
    }

    @Test func `a repair removes the kills at fault points`() throws {
        let folder = try ScratchFolder()
        let disk = try Self.disk(in: folder)
        disk.add(SimulatedDisk.PointKill(point: .uploadConfirmed, after: 0))
        disk.repair()
        disk.pass(.uploadConfirmed)
        #expect(!disk.isKilled)
    }
}
