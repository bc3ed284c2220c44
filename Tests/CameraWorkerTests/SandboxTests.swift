import Foundation
import FrameFastModel
import FrameFastSystem
import Testing
import WorkerProtocol

/// The worker enters its sandbox and tries the doors from inside; here for this machine's kernel.
@Suite(
    .enabled(
        if: KernelGuards.current.missing == nil,
        "the kernel here has no \(KernelGuards.current.missing ?? "")"))
struct SandboxTests {
    /// Runs the worker's own trial.
    private func trial(_ port: String, homeIsBesidePhotos: Bool = false) throws -> (
        status: Int32, lines: [String]
    ) {
        let photos = try ScratchDirectory()
        let home = homeIsBesidePhotos ? photos : try ScratchDirectory()
        let incoming = photos.file("incoming")
        try FileManager.default.createDirectory(atPath: incoming, withIntermediateDirectories: false)
        let program = Process()
        program.executableURL = URL(filePath: BuiltProgram.path("framefast-camera"))
        program.arguments = ["trial", "--port", port, "--photos", incoming, "--show-confinement"]
        program.environment = ["HOME": home.path]
        let output = Pipe()
        program.standardOutput = output
        try program.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        program.waitUntilExit()
        return (program.terminationStatus, text.split(separator: "\n").map(String.init))
    }

    @Test func `a worker of a USB camera opens no socket, no other device and no file of others`() throws {
        let (status, lines) = try trial("usb:")
        #expect(status == 0, "\(lines)")
        #expect(lines.contains("a network socket: refused, Operation not permitted"))
        #expect(lines.contains("a network socket of version 6: refused, Operation not permitted"))
        #expect(lines.contains("a local socket: refused, Operation not permitted"))
        #expect(lines.contains("another program: refused, Operation not permitted"))
        #expect(lines.contains("a device of another kind: refused, Permission denied"))
        #expect(lines.contains("/etc/passwd: refused, Permission denied"))
        #expect(lines.contains("a file beside the photos: refused, Permission denied"))
        #expect(lines.contains("a part file: allowed"))
    }

    @Test func `what is in the worker's own home is no door left open`() throws {
        let (status, lines) = try trial("usb:", homeIsBesidePhotos: true)
        #expect(status == 0, "\(lines)")
        #expect(lines.contains("a file beside the photos, which is in its home: allowed"))
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

    @Test func `a worker of a network camera has the network and nothing else of it`() throws {
        let (status, lines) = try trial("ptpip:192.168.1.5:15740")
        #expect(status == 0, "\(lines)")
        #expect(lines.contains("a network socket: allowed"))
        #expect(lines.contains("a local socket: refused, Operation not permitted"))
        #expect(lines.contains("a raw socket to the network card: refused, Operation not permitted"))
        #expect(lines.contains("another program: refused, Operation not permitted"))
    }
}
