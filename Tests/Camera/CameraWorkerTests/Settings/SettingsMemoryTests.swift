import Foundation
import TestRig
import Testing

@testable import CameraWorker

/// Tests of the backup of a camera's original settings, which the next worker loads.
@Suite struct SettingsMemoryTests {
    private static let purposes: [SettingsBackup.Purpose] = [.session, .liveView, .operation]

    private static func memory(
        _ folder: ScratchFolder, camera: String = "Maker T 1", process: Int32 = 1, crashed: [Int32] = []
    ) -> SettingsBackup {
        SettingsBackup(camera: camera, folder: folder.url.path, process: process, crashed: crashed)
    }

    @Test(arguments: purposes)
    func `gives up a value after one crash of the driver`(purpose: SettingsBackup.Purpose) throws {
        let folder = try ScratchFolder()
        var first = Self.memory(folder, process: 7)
        for other in Self.purposes { first.save("iso", "100", for: other) }
        let isTried = first.beginAttempt("iso", for: purpose)
        #expect(isTried)
        // The next process receives the ids of the crashed processes. The process after that receives
        // none, and loads the saved result of the crash.
        for crashed in [[5, 7], []] as [[Int32]] {
            var next = Self.memory(folder, process: 8, crashed: crashed)
            #expect(next.givenUp.map { "\($0.purpose) \($0.setting)" } == ["\(purpose) iso"])
            let isTriedAgain = next.beginAttempt("iso", for: purpose)
            #expect(!isTriedAgain && next["iso", for: purpose] == "100")
        }
    }

    @Test func `a crash outside the attempt does not count`() throws {
        let folder = try ScratchFolder()
        var first = Self.memory(folder, process: 7)
        first.save("iso", "100", for: .operation)
        _ = first.beginAttempt("iso", for: .operation)
        // Process 7 was killed, and the driver crashed in process 8 before that process tried the value.
        var third = Self.memory(folder, process: 9, crashed: [8])
        #expect(third.givenUp.isEmpty)
        let isTried = third.beginAttempt("iso", for: .operation)
        #expect(isTried)
        // Process 9 was killed, too.
        #expect(Self.memory(folder, process: 10).givenUp.map(\.setting) == ["iso"])
    }

    @Test func `at the end of a connection, only crashes count, not kills`() throws {
        let folder = try ScratchFolder()
        Self.save("target", "card", in: folder)
        for process in Int32(1)...5 {
            var worker = Self.memory(folder, process: process)
            let isTried = worker.beginAttempt("target", for: .session, countsKills: false)
            #expect(isTried && worker.givenUp.isEmpty)
        }
        var last = Self.memory(folder, process: 6, crashed: [5])
        let isTried = last.beginAttempt("target", for: .session, countsKills: false)
        #expect(!isTried && last.givenUp.map(\.setting) == ["target"])
    }

    private static func save(_ setting: String, _ value: String, in folder: ScratchFolder) {
        var backup = memory(folder)
        backup.save(setting, value)
    }

    @Test(arguments: purposes)
    func `gives up a value after two kills during its restoration`(purpose: SettingsBackup.Purpose) throws {
        let folder = try ScratchFolder()
        var first = Self.memory(folder)
        for other in Self.purposes { first.save("iso", "100", for: other) }
        for _ in 0..<2 {
            let isTried = first.beginAttempt("iso", for: purpose)
            #expect(isTried && first.givenUp.isEmpty)
            // The next backup counts the worker of this attempt as dead.
            first = Self.memory(folder)
        }
        // The value is still saved, and the values for other purposes are still tried.
        var next = Self.memory(folder)
        #expect(next["iso", for: purpose] == "100")
        let givenUp = next.givenUp.map { "\($0.purpose) \($0.setting)" }
        #expect(givenUp == ["\(purpose) iso"])
        for other in Self.purposes {
            let isTriedAgain = next.beginAttempt("iso", for: other)
            #expect(isTriedAgain == (other != purpose))
            if isTriedAgain { next.endAttempt("iso", for: other) }
        }
        // The result applies to this camera only.
        #expect(Self.memory(folder, camera: "Maker T 2").givenUp.isEmpty)
        next.remove("iso", for: purpose)
        #expect(next.givenUp.isEmpty && Self.memory(folder).givenUp.isEmpty)
    }

    @Test(arguments: purposes)
    func `retries a value after a failed attempt without a crash`(purpose: SettingsBackup.Purpose) throws {
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

    @Test func `a completed attempt resets the count of dead workers`() throws {
        let folder = try ScratchFolder()
        var worker = Self.memory(folder)
        worker.save("iso", "100", for: .operation)
        // Three separate deaths: the service was killed, the driver was slow, and the cable was unplugged.
        for survives in [false, true, false, true, false] {
            let isTried = worker.beginAttempt("iso", for: .operation)
            #expect(isTried)
            if survives { worker.endAttempt("iso", for: .operation) }
            worker = Self.memory(folder)
        }
        #expect(worker.givenUp.isEmpty && worker.changed(for: .operation) == ["iso": "100"])
    }

    @Test func `counts a worker that dies during an attempt, not between attempts`() throws {
        let folder = try ScratchFolder()
        var first = Self.memory(folder)
        first.save("runs", "bulb", for: .operation)
        _ = first.beginAttempt("runs", for: .operation)
        // Process 1 died in its attempt. Process 2 is killed while it waits for the next attempt.
        var second = Self.memory(folder, process: 2)
        _ = second.beginAttempt("runs", for: .operation)
        _ = second.beginAttempt("runs", for: .operation, countsKills: false)
        var third = Self.memory(folder, process: 3)
        #expect(third.givenUp.isEmpty)
        // Process 3 dies in its attempt, too.
        _ = third.beginAttempt("runs", for: .operation)
        #expect(Self.memory(folder, process: 4).givenUp.map(\.setting) == ["runs"])
    }

    @Test func `gives up a setting without a saved value until the setting is restored`() throws {
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

    @Test func `counts attempts separately for each value of a setting`() throws {
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

    @Test func `a further camera replaces only the backup with the fewest entries`() throws {
        let folder = try ScratchFolder()
        for number in 1...65 {
            var backup = Self.memory(folder, camera: "Maker T \(number)")
            // Camera 64 has one entry. The other cameras have two.
            backup.save("iso", "100")
            if number != 64 { backup.save("target", "card") }
        }
        let lost = (1...65).filter { Self.memory(folder, camera: "Maker T \($0)")["iso"] == nil }
        #expect(lost == [64])
    }

    @Test func `a completed attempt without a saved value leaves no entry for its camera`() throws {
        let folder = try ScratchFolder()
        var worker = Self.memory(folder)
        _ = worker.beginAttempt("clock", for: .automatic)
        worker.endAttempt("clock", for: .automatic)
        let text = try String(contentsOfFile: folder.path("camera-settings.json"), encoding: .utf8)
        #expect(text == "{}")
    }

    @Test func `reads a backup of an earlier version`() throws {
        let folder = try ScratchFolder()
        try #"{"Maker T 1":{"capturetarget":"Memory card","operation: iso":"100","live view: size":"L"}}"#
            .write(toFile: folder.path("camera-settings.json"), atomically: true, encoding: .utf8)
        let memory = Self.memory(folder)
        #expect(memory.givenUp.isEmpty && memory.changed() == ["capturetarget": "Memory card"])
        #expect(memory.changed(for: .operation) == ["iso": "100"])
    }
}
