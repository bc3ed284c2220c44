import Foundation
import FrameFastSystem
import Glibc
import Testing

@testable import Cameras

@Suite struct PartFolderTests {
    private let root: String
    private let parts: PartFolder
    private var incoming: String { root + "/incoming" }
    /// Where a photo grows, and where it is taken to.
    private var growing: String { parts.workerPath(for: taken) }
    private var taken: String { incoming + "/7-run.part" }

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "parts-\(UUID().uuidString)").path
        try DurableFile.createFolder(root + "/incoming")
        parts = PartFolder(named: "studio-a", incoming: root + "/incoming")
        try parts.create()
    }

    private func grow() throws { try Data("a photo".utf8).write(to: URL(filePath: growing)) }

    private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    @Test func `a photo grows in its worker's own folder and is taken out of it whole`() throws {
        #expect(growing == root + "/workers/studio-a/7-run.part")
        #expect(PartFolder(named: "studio-b", incoming: incoming).workerPath(for: taken) != growing)
        try grow()
        // Somebody who reads it changes nothing.
        let reader = open(growing, O_RDONLY | O_CLOEXEC)
        defer { close(reader) }
        try parts.takeOver(to: taken)
        #expect(text(taken) == "a photo" && !DurableFile.exists(growing))
    }

    enum Hold: String, CaseIterable, Sendable { case open, readWrite, append, mapped, secondName, link, pipe }

    /// Each is a way to change the bytes after they were checked, or to have others checked.
    @Test(arguments: Hold.allCases)
    func `a photo that its worker can still change is not taken`(hold: Hold) throws {
        var descriptor: Int32 = -1
        var map: UnsafeMutableRawPointer?
        switch hold {
        case .open, .readWrite, .append:
            try grow()
            let flags = hold == .open ? O_WRONLY : hold == .append ? O_WRONLY | O_APPEND : O_RDWR
            descriptor = open(growing, flags | O_CLOEXEC)
        case .mapped:
            try grow()
            let file = open(growing, O_RDWR | O_CLOEXEC)
            map = mmap(nil, 7, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
            close(file)
        case .secondName:
            try grow()
            try #require(link(growing, growing + "2") == 0)
        case .link:
            try Data("elsewhere".utf8).write(to: URL(filePath: root + "/elsewhere"))
            try #require(symlink(root + "/elsewhere", growing) == 0)
        case .pipe: try #require(mkfifo(growing, 0o600) == 0)
        }
        defer {
            if descriptor >= 0 { close(descriptor) }
            if let map { munmap(map, 7) }
        }
        #expect(throws: PartFolderError.heldByWorker) { try parts.takeOver(to: taken) }
        #expect(!DurableFile.exists(taken))
    }

    @Test func `who can write to a file is told, or not known of what has no leases`() throws {
        try grow()
        let reader = open(growing, O_RDONLY | O_CLOEXEC)
        #expect(FileWriters.of(reader) == .none)
        let writer = open(growing, O_WRONLY | O_CLOEXEC)
        #expect(FileWriters.of(reader) == .some)
        try #require(mkfifo(root + "/pipe", 0o600) == 0)
        let pipe = open(root + "/pipe", O_RDWR | O_CLOEXEC)
        #expect(FileWriters.of(pipe) == .unknown)
        for descriptor in [reader, writer, pipe] { close(descriptor) }
    }

    @Test func `where nobody can tell who has a photo open, a copy is taken that no worker has`() throws {
        try grow()
        let kept = open(growing, O_RDWR | O_CLOEXEC)
        defer { close(kept) }
        try parts.takeOver(to: taken, writers: { _ in .unknown })
        #expect(pwrite(kept, "b", 1, 0) == 1)
        #expect(text(taken) == "a photo" && !DurableFile.exists(growing))
        #expect(try FolderReader.names(in: incoming) == ["7-run.part"])
    }

    @Test func `a photo that cannot be copied is the host's trouble, and nothing of it stays`() throws {
        try grow()
        // Something that cannot be removed has the copy's name.
        try DurableFile.createFolder(incoming + "/7-runcopy.part")
        #expect {
            try parts.takeOver(to: taken, writers: { _ in .unknown })
        } throws: { if case PartFolderError.cannotMove = $0 { true } else { false } }
        #expect(!DurableFile.exists(taken) && !DurableFile.exists(growing))
    }

    @Test func `a photo that is not there, or whose place is taken, is the host's trouble`() throws {
        #expect(throws: PartFolderError.self) { try parts.takeOver(to: taken) }
        try grow()
        try Data("another".utf8).write(to: URL(filePath: taken))
        #expect {
            try parts.takeOver(to: taken)
        } throws: { if case PartFolderError.cannotMove = $0 { true } else { false } }
        #expect(text(taken) == "another" && !DurableFile.exists(growing))
        // Where it cannot be moved, it is not in the way of the next attempt.
        try grow()
        try FileManager.default.removeItem(atPath: incoming)
        #expect(throws: PartFolderError.self) { try parts.takeOver(to: taken) }
        #expect(!DurableFile.exists(growing))
    }

    @Test func `a new worker finds its folder empty`() throws {
        try grow()
        parts.removeFiles()
        #expect(try FolderReader.names(in: parts.path) == [])
    }

    @Test func `nothing is made where the folders for photos are not`() throws {
        let away = PartFolder(named: "studio-a", incoming: root + "/not-mounted/incoming")
        #expect(throws: SystemCallError.self) { try away.create() }
        #expect(!DurableFile.exists(root + "/not-mounted"))
    }
}
