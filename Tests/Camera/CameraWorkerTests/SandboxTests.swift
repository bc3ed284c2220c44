import Foundation
import FrameFastModel
import FrameFastSystem
import TestRig
import Testing
import WorkerProtocol

/// Tests of the worker's sandbox on this machine's kernel. The worker enters its sandbox and tries forbidden
/// operations.
@Suite(
    .programs(2),
    .enabled(
        if: KernelSandboxing.current.missing == nil,
        "this kernel has no \(KernelSandboxing.current.missing ?? "")"))
struct SandboxTests {
    /// Runs the worker's sandbox trial.
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

    /// Returns the output without the lines that depend on the kernel and this machine's devices.
    private func tries(_ lines: [String]) -> [String] {
        lines.dropFirst(2).filter { !$0.hasPrefix("the device /dev/") }
    }

    @Test func `allows the worker of a USB camera only what it needs`() throws {
        let (status, lines) = try trial("usb:")
        #expect(status == 0, "\(lines)")
        #expect(tries(lines) == SandboxOutput.ofUSB)
    }

    @Test func `a network camera's worker may additionally open only TCP sockets`() throws {
        let (status, lines) = try trial("ptpip:192.168.1.5:15740")
        #expect(status == 0, "\(lines)")
        let opened = Set(tries(lines)).subtracting(SandboxOutput.ofUSB)
        #expect(opened == ["a network socket: allowed", "a network socket over IPv6: allowed"])
        #expect(tries(lines).count == SandboxOutput.ofUSB.count)
    }

    @Test func `a worker with emulated USB may additionally open only local sockets`() throws {
        let (status, lines) = try trial("usb:", arguments: ["--usb-bed", "/nonexistent"])
        #expect(status == 0, "\(lines)")
        #expect(Set(tries(lines)).subtracting(SandboxOutput.ofUSB) == ["a local socket: allowed"])
    }

    @Test func `the sandbox trial does not depend on the caller's home`() throws {
        let state = try ScratchDirectory()
        for (home, photos) in [
            (state.path, state.file("photos/incoming")), (state.file("home"), state.file("incoming")),
            (state.file("incoming"), state.file("incoming")),
        ] {
            try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
            let (status, lines) = try trial("usb:", home: home, photos: photos)
            #expect(status == 0)
            #expect(tries(lines) == SandboxOutput.ofUSB, "home \(home), photos \(photos)")
        }
    }

    @Test func `exits with status 75 when the photo folder was replaced`() throws {
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
        #expect(WorkerEnded(status: worker.waitForExit()).exitStatus == 75)
    }
}
