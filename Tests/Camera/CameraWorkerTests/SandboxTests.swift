import Foundation
import FrameFastModel
import FrameFastSystem
import TestRig
import Testing
import WorkerProtocol

/// The worker enters its sandbox and tries the doors from inside; here for this machine's kernel.
@Suite(
    .programs(2),
    .enabled(
        if: KernelGuards.current.missing == nil,
        "the kernel here has no \(KernelGuards.current.missing ?? "")"))
struct SandboxTests {
    /// Runs the worker's own trial.
    private func trial(
        _ port: String, home: String = "/nonexistent", photos: String? = nil, arguments: [String] = []
    ) throws -> (
        status: Int32, lines: [String]
    ) {
        let scratch = try ScratchDirectory()
        let incoming = photos ?? scratch.file("incoming")
        try FileManager.default.createDirectory(atPath: incoming, withIntermediateDirectories: true)
        let program = Process()
        program.executableURL = URL(filePath: BuiltProgram.path("framefast-camera"))
        program.arguments =
            ["trial", "--port", port, "--photos", incoming, "--show-confinement"]
            + arguments
        program.environment = ["HOME": home]
        let output = Pipe()
        program.standardOutput = output
        try program.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        program.waitUntilExit()
        return (program.terminationStatus, text.split(separator: "\n").map(String.init))
    }

    /// Everything behind the lines that describe the kernel and the devices that happen to be here.
    private func doors(_ lines: [String]) -> [String] {
        lines.dropFirst(2).filter { !$0.hasPrefix("the device /dev/") }
    }

    @Test func `every door of a worker of a USB camera is shut, and what it needs is open`() throws {
        let (status, lines) = try trial("usb:")
        #expect(status == 0, "\(lines)")
        #expect(doors(lines) == SandboxDoors.ofUSB)
    }

    @Test func `a worker of a network camera has the network and nothing else more`() throws {
        let (status, lines) = try trial("ptpip:192.168.1.5:15740")
        #expect(status == 0, "\(lines)")
        let opened = Set(doors(lines)).subtracting(SandboxDoors.ofUSB)
        #expect(opened == ["a network socket: allowed", "a network socket of version 6: allowed"])
        #expect(doors(lines).count == SandboxDoors.ofUSB.count)
    }

    @Test func `a worker in the test bed has local sockets and nothing else more`() throws {
        let (status, lines) = try trial("usb:", arguments: ["--usb-bed", "/nonexistent"])
        #expect(status == 0, "\(lines)")
        #expect(Set(doors(lines)).subtracting(SandboxDoors.ofUSB) == ["a local socket: allowed"])
    }

    @Test func `the trial does not depend on where the home of its caller lies`() throws {
        let state = try ScratchDirectory()
        for (home, photos) in [
            (state.path, state.file("photos/incoming")), (state.file("home"), state.file("incoming")),
            (state.file("incoming"), state.file("incoming")),
        ] {
            try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
            let (status, lines) = try trial("usb:", home: home, photos: photos)
            #expect(status == 0)
            #expect(doors(lines) == SandboxDoors.ofUSB, "home \(home), photos \(photos)")
        }
    }

    @Test func `a worker whose folder was exchanged makes room for one that is given the new one`() throws {
        let camera = try SimulatedCamera(["--existing", "1", "--size", "50KB"])
        let disk = try ScratchDirectory()
        let incoming = disk.file("incoming")
        try FileManager.default.createDirectory(atPath: incoming, withIntermediateDirectories: false)
        let worker = try WorkerProcess(photos: incoming)
        _ = try worker.open(camera)
        let object = try #require(try worker.list().first)
        try FileManager.default.moveItem(atPath: incoming, toPath: disk.file("before"))
        try FileManager.default.createDirectory(atPath: incoming, withIntermediateDirectories: false)
        try worker.send {
            .fetch(
                id: $0,
                FetchRequest(
                    folder: object.folder, name: object.name, announcedSize: object.size,
                    partPath: incoming + "/1.part"))
        }
        #expect(WorkerEnded(status: worker.ending()).exitStatus == 75)
    }
}
