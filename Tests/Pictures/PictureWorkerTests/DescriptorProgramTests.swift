import ChildProcesses
import Foundation
import FrameFastSystem
import Glibc
import PictureProtocol
import PreviewSamples
import SystemIO
import SystemPackage
import TestRig
import Testing

@testable import PictureWorker

/// A running `framefast-picture --descriptors`.
private final class RunningPictureWorker {
    private let socket: Int32
    private let process: ChildProcess
    private let folder: DescriptorFolder
    private var count: UInt32 = 0

    init() async throws {
        folder = try DescriptorFolder()
        let (ours, theirs) = try SocketPair.make()
        socket = ours.rawValue
        process = try await Self.start([PictureRequest.programArgument], input: theirs)
        let ready = try IO.readExactly(1, from: socket)
        try #require(ready == [PictureRequest.ready])
    }

    deinit {
        close(socket)
        process.signal(SIGKILL)
    }

    /// Starts `framefast-picture`.
    static func start(_ arguments: [String], input: FileDescriptor? = nil) async throws -> ChildProcess {
        try await ChildProcess.start(
            .init(
                program: Programs.path("framefast-picture").path, arguments: arguments, environment: [:],
                input: input))
    }

    /// Sends a request, and returns the result with the written file.
    func request(
        _ task: PictureTask, _ photo: [UInt8]
    ) throws -> (result: PictureResult, file: [UInt8]) {
        let files = try folder.open(photo)
        defer { files.closeAll() }
        count += 1
        let request = PictureRequest(number: count, task: task).encode()
        let descriptors = task.writesFile ? [files.photo, files.result] : [files.photo]
        #expect(try IO.send(request, descriptors: descriptors, to: socket) == request.count)
        let answer = try #require(try IO.readExactly(PictureResult.byteCount, from: socket))
        let result = try #require(PictureResult(bytes: answer))
        #expect(result.number == count)
        return (result, try files.content())
    }

    /// Sends bytes without descriptors.
    func send(_ bytes: [UInt8]) throws { try IO.sendAll(bytes, to: socket) }

    /// Ends the stream of requests, and waits for the end of the worker.
    func stop() async -> ChildProcess.End {
        _ = shutdown(socket, Int32(SHUT_WR))
        return await process.waitForEnd()
    }
}

/// Tests of the whole worker process in its sandbox.
@Suite(.programs(1)) struct DescriptorProgramTests {
    private static func photo(_ color: [UInt8] = [10, 200, 30]) throws -> [UInt8] {
        try TestPicture.jpeg(1_200, 800, color: color)
    }

    @Test func `answers requests of every task and exits when the stream ends`() async throws {
        let worker = try await RunningPictureWorker()
        let adobe = SampleJPEG.exif(SampleTIFF.block([.exif(color: 0xFFFF, index: "R03")]))
        let photo = SampleJPEG.adding([adobe], to: try Self.photo())
        for task in PictureTask.allCases {
            let (result, file) = try worker.request(task, photo)
            #expect(result.status == .ready && result.width == 1_200 && result.height == 800, "\(task)")
            #expect(result.bytesWritten == file.count && file.isEmpty != task.writesFile, "\(task)")
            #expect(!result.isLast)
        }
        let profile = SampleJPEG.profile([ColorConversion.adobeRGBProfile])
        let (result, file) = try worker.request(.thumbnail, SampleJPEG.adding(profile, to: try Self.photo()))
        #expect(result.status == .ready)
        let picture = try TestPicture.decode(file)
        #expect(picture.width == 512 && picture.height == 341)
        let end = await worker.stop()
        #expect(end == .exited(0))
    }

    @Test func `a hostile picture does not affect the next picture`() async throws {
        let worker = try await RunningPictureWorker()
        let good = try Self.photo()
        var endless = SampleTIFF.block([.thumbnail(Array(good.prefix(200)))])
        endless.replaceSubrange((10 + 3 * 12)..<(14 + 3 * 12), with: [8, 0, 0, 0])
        let hostile: [[UInt8]] = [
            [], endless, SampleJPEG.header(width: 65_000, height: 65_000),
            SampleJPEG.header(width: 8_000, height: 8_000, frame: 0xC2),
            SampleJPEG.header(width: 100, height: 100), Array(good.prefix(good.count / 2)),
            SampleFiles.raf(SampleJPEG.header(width: 60_000, height: 3_000)),
            SampleJPEG.adding(SampleJPEG.profile([[UInt8](repeating: 0xFF, count: 60_000)]), to: good),
        ]
        for photo in hostile {
            _ = try worker.request(.screen, photo)
            let (result, file) = try worker.request(.thumbnail, good)
            #expect(result.status == .ready && !file.isEmpty)
        }
        let end = await worker.stop()
        #expect(end == .exited(0))
    }

    @Test func `pictures with changed bytes do not stop the worker`() async throws {
        let worker = try await RunningPictureWorker()
        let good = SampleFiles.raw(
            isLittle: true, previews: [try TestPicture.jpeg(96, 64, color: [9, 99, 200])])
        var random = SeededRandom(otherwise: 43)
        for _ in 0..<Tier.rows(Array(0..<400), gate: 60).count {
            var photo = good
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                photo[Int.random(in: 0..<photo.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            _ = try worker.request(.thumbnail, photo)
        }
        let end = await worker.stop()
        #expect(end == .exited(0), "\(random.note)")
    }

    @Test(arguments: [[1, 2, 3], [1, 1, 0, 0, 0, 0, 0, 1], [9, 9, 9, 9, 9, 9, 9, 9]] as [[UInt8]])
    func `ends after an invalid request or a request without descriptors`(bytes: [UInt8]) async throws {
        let worker = try await RunningPictureWorker()
        try worker.send(bytes)
        let end = await worker.stop()
        #expect(end == .exited(1))
    }

    @Test(arguments: [
        "openat", "socket", "connect", "sendto", "execve", "clone", "kill", "ptrace", "fcntl", "ioctl",
        "ftruncate", "mprotect", "prlimit64", "io_uring_setup", "dup",
    ])
    func `the kernel kills the worker at a forbidden system call`(name: String) async throws {
        let process = try await RunningPictureWorker.start(["--try-call", name])
        let end = await process.waitForEnd()
        #expect(end == .killed(signal: SIGSYS))
    }

    @Test(arguments: ["pread64", "pwrite64", "lseek", "close", "recvmsg", "sendmsg"])
    func `the sandbox allows the system calls for descriptors`(name: String) async throws {
        let process = try await RunningPictureWorker.start(["--try-call", name])
        let end = await process.waitForEnd()
        #expect(end == .exited(0))
    }

    @Test(arguments: [["--try-call", "no-such-call"], ["--other"], ["--descriptors", "twice"]])
    func `exits with a usage error for unknown arguments`(arguments: [String]) async throws {
        let (status, output) = try await RunningProgram.run(
            Programs.path("framefast-picture"), arguments, in: ScratchFolder())
        #expect(status == EX_USAGE && output.contains("--descriptors"))
    }
}
