import Foundation
import FrameFastSystem
import Glibc
import TestRig
import Testing

@testable import Cameras

@Suite struct PartFolderTests {
    private let root: String
    private let parts: PartFolder
    private var incoming: String { root + "/incoming" }
    /// The path to which the worker writes. `takeOver(to:)` moves the part file from there to ``partPath``.
    private var workerPath: String { parts.workerPath(for: partPath) }
    private var partPath: String { incoming + "/7-run.part" }

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "parts-\(UUID().uuidString)").path
        try DurableFile.createFolder(root + "/incoming")
        parts = PartFolder(named: "studio-a", incoming: root + "/incoming")
        try parts.create()
    }

    private func writePhoto() throws { try Data("a photo".utf8).write(to: URL(filePath: workerPath)) }

    /// Waits until no process can write to the file. If another test starts a program, the child process
    /// holds every open file of this process between fork(2) and execve(2).
    private func waitUntilClosed(_ reader: Int32) async throws {
        try await eventually("the file to have no writers") { FileWriters.of(reader) == .none ? () : nil }
    }

    private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    @Test func `moves a complete photo out of the worker's folder`() async throws {
        #expect(workerPath == root + "/workers/studio-a/7-run.part")
        #expect(PartFolder(named: "studio-b", incoming: incoming).workerPath(for: partPath) != workerPath)
        try writePhoto()
        // A process that only reads the file can't change the photo, so the move succeeds.
        let reader = open(workerPath, O_RDONLY | O_CLOEXEC)
        defer { close(reader) }
        try await waitUntilClosed(reader)
        try parts.takeOver(to: partPath)
        #expect(text(partPath) == "a photo" && !DurableFile.exists(workerPath))
    }

    enum Hold: String, CaseIterable, Sendable { case open, readWrite, append, mapped, secondName, link, pipe }

    /// The arguments are ways to change the photo after the check, or to substitute another file.
    @Test(arguments: Hold.allCases)
    func `rejects a photo that its worker can still change`(hold: Hold) throws {
        var descriptor: Int32 = -1
        var map: UnsafeMutableRawPointer?
        switch hold {
        case .open, .readWrite, .append:
            try writePhoto()
            let flags = hold == .open ? O_WRONLY : hold == .append ? O_WRONLY | O_APPEND : O_RDWR
            descriptor = open(workerPath, flags | O_CLOEXEC)
        case .mapped:
            try writePhoto()
            let file = open(workerPath, O_RDWR | O_CLOEXEC)
            map = mmap(nil, 7, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
            close(file)
        case .secondName:
            try writePhoto()
            try #require(link(workerPath, workerPath + "2") == 0)
        case .link:
            try Data("elsewhere".utf8).write(to: URL(filePath: root + "/elsewhere"))
            try #require(symlink(root + "/elsewhere", workerPath) == 0)
        case .pipe: try #require(mkfifo(workerPath, 0o600) == 0)
        }
        defer {
            if descriptor >= 0 { close(descriptor) }
            if let map { munmap(map, 7) }
        }
        #expect(throws: PartFolderError.heldByWorker) { try parts.takeOver(to: partPath) }
        #expect(!DurableFile.exists(partPath))
    }

    @Test func `reports writers of an open file, or unknown without lease support`() async throws {
        try writePhoto()
        let reader = open(workerPath, O_RDONLY | O_CLOEXEC)
        try await waitUntilClosed(reader)
        let writer = open(workerPath, O_WRONLY | O_CLOEXEC)
        #expect(FileWriters.of(reader) == .some)
        try #require(mkfifo(root + "/pipe", 0o600) == 0)
        let pipe = open(root + "/pipe", O_RDWR | O_CLOEXEC)
        #expect(FileWriters.of(pipe) == .unknown)
        for descriptor in [reader, writer, pipe] { close(descriptor) }
    }

    @Test func `copies a photo if the file system can't report writers`() throws {
        try writePhoto()
        let kept = open(workerPath, O_RDWR | O_CLOEXEC)
        defer { close(kept) }
        try parts.takeOver(to: partPath, writers: { _ in .unknown })
        #expect(pwrite(kept, "b", 1, 0) == 1)
        #expect(text(partPath) == "a photo" && !DurableFile.exists(workerPath))
        #expect(try FolderReader.names(in: incoming) == ["7-run.part"])
    }

    @Test func `a failed copy throws cannotMove and leaves no file`() throws {
        try writePhoto()
        // The path of the copy is a folder, which can't be removed as a file.
        try DurableFile.createFolder(incoming + "/7-runcopy.part")
        #expect {
            try parts.takeOver(to: partPath, writers: { _ in .unknown })
        } throws: { if case PartFolderError.cannotMove = $0 { true } else { false } }
        #expect(!DurableFile.exists(partPath) && !DurableFile.exists(workerPath))
    }

    @Test func `a missing photo or an existing target throws an error`() throws {
        #expect(throws: PartFolderError.self) { try parts.takeOver(to: partPath) }
        try writePhoto()
        try Data("another".utf8).write(to: URL(filePath: partPath))
        #expect {
            try parts.takeOver(to: partPath)
        } throws: { if case PartFolderError.cannotMove = $0 { true } else { false } }
        #expect(text(partPath) == "another" && !DurableFile.exists(workerPath))
        // A photo that can't be moved does not block the next attempt.
        try writePhoto()
        try FileManager.default.removeItem(atPath: incoming)
        #expect(throws: PartFolderError.self) { try parts.takeOver(to: partPath) }
        #expect(!DurableFile.exists(workerPath))
    }

    @Test func `removes the files of an earlier worker`() throws {
        try writePhoto()
        parts.removeFiles()
        #expect(try FolderReader.names(in: parts.path) == [])
    }

    @Test func `does not create a part folder while the photo disk is missing`() throws {
        let away = PartFolder(named: "studio-a", incoming: root + "/not-mounted/incoming")
        #expect(throws: SystemCallError.self) { try away.create() }
        #expect(!DurableFile.exists(root + "/not-mounted"))
    }
}
