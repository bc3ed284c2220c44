import Foundation
import TestRig
import Testing

@testable import CameraWorker

/// What a worker notes of a camera's own settings, as the next worker finds it.
@Suite struct SettingsMemoryTests {
    private static let purposes: [SettingsBackup.Purpose] = [.session, .liveView, .operation]

    private static func memory(_ folder: ScratchFolder, camera: String = "Maker T 1") -> SettingsBackup {
        SettingsBackup(camera: camera, folder: folder.url.path)
    }

    @Test(arguments: purposes)
    func `a value in whose attempts two workers died is tried by no other one`(
        purpose: SettingsBackup.Purpose
    ) throws {
        let folder = try ScratchFolder()
        var first = Self.memory(folder)
        for other in Self.purposes { first.save("iso", "100", for: other) }
        for _ in 0..<2 {
            let isTried = first.beginAttempt("iso", for: purpose)
            #expect(isTried && first.givenUp.isEmpty)
            // It died.
            first = Self.memory(folder)
        }
        // The value is still known, and those for other purposes are tried.
        var next = Self.memory(folder)
        #expect(next["iso", for: purpose] == "100")
        let givenUp = next.givenUp.map { "\($0.purpose) \($0.setting)" }
        #expect(givenUp == ["\(purpose) iso"])
        for other in Self.purposes {
            let isTriedAgain = next.beginAttempt("iso", for: other)
            #expect(isTriedAgain == (other != purpose))
            if isTriedAgain { next.endAttempt("iso", for: other) }
        }
        // A body that is not the same one.
        #expect(Self.memory(folder, camera: "Maker T 2").givenUp.isEmpty)
        next.remove("iso", for: purpose)
        #expect(next.givenUp.isEmpty && Self.memory(folder).givenUp.isEmpty)
    }

    @Test(arguments: purposes)
    func `a value that could not be set back by a driver that lives is tried again`(
        purpose: SettingsBackup.Purpose
    ) throws {
        let folder = try ScratchFolder()
        var first = Self.memory(folder)
        first.save("iso", "100", for: purpose)
        for _ in 0..<3 {
            let isTried = first.beginAttempt("iso", for: purpose)
            #expect(isTried)
            first.endAttempt("iso", for: purpose)
            first = Self.memory(folder)
        }
        #expect(first.givenUp.isEmpty && first.changed(for: purpose) == ["iso": "100"])
    }

    @Test func `an attempt that a worker survives ends the count of those that died`() throws {
        let folder = try ScratchFolder()
        var worker = Self.memory(folder)
        worker.save("iso", "100", for: .operation)
        // Killed with the service, then the driver is only slow, then a pulled cable.
        for survives in [false, true, false, true, false] {
            let isTried = worker.beginAttempt("iso", for: .operation)
            #expect(isTried)
            if survives { worker.endAttempt("iso", for: .operation) }
            worker = Self.memory(folder)
        }
        #expect(worker.givenUp.isEmpty && worker.changed(for: .operation) == ["iso": "100"])
    }

    @Test func `a switch of the command, which has no value to set back, is given up and confirmed as well`()
        throws
    {
        let folder = try ScratchFolder()
        for _ in 0..<2 {
            var worker = Self.memory(folder)
            let isTried = worker.beginAttempt("prioritymode", for: .operation)
            #expect(isTried)
        }
        var next = Self.memory(folder)
        #expect(next.givenUp.map(\.setting) == ["prioritymode"] && next.changed(for: .operation).isEmpty)
        next.remove("prioritymode", for: .operation)
        #expect(next.givenUp.isEmpty && Self.memory(folder).givenUp.isEmpty)
    }

    @Test func `another value of a setting has its own attempts`() throws {
        let folder = try ScratchFolder()
        var first = Self.memory(folder)
        first.save("iso", "100", for: .operation)
        for _ in 0..<2 {
            _ = first.beginAttempt("iso", for: .operation)
            first = Self.memory(folder)
        }
        #expect(first.isGivenUp("iso", for: .operation))
        var next = Self.memory(folder)
        next.save("iso", "200", for: .operation)
        let isTried = next.beginAttempt("iso", for: .operation)
        #expect(isTried)
    }

    @Test func `what an earlier version noted is read`() throws {
        let folder = try ScratchFolder()
        try #"{"Maker T 1":{"capturetarget":"Memory card","operation: iso":"100","live view: size":"L"}}"#
            .write(toFile: folder.path("camera-settings.json"), atomically: true, encoding: .utf8)
        let memory = Self.memory(folder)
        #expect(memory.givenUp.isEmpty && memory.changed() == ["capturetarget": "Memory card"])
        #expect(memory.changed(for: .operation) == ["iso": "100"])
    }
}
