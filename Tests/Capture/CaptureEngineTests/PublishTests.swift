import Foundation
import Glibc
import SystemPackage
import TestRig
import Testing

@testable import FrameFastSystem

/// Tests of publishing on a file system without hard links and without RENAME_NOREPLACE, and of publishing to
/// another file system.
@Suite struct PublishTests {
    private let top: String
    private var part: String { top + "/1-a.part" }
    private var final: String { top + "/photo.JPG" }
    private static let photo = Data("photo".utf8)

    init() throws {
        top = FileManager.default.temporaryDirectory.appending(path: "publish-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: top, withIntermediateDirectories: true)
        try Self.photo.write(to: URL(filePath: part))
    }

    /// Whether `/dev/shm` and the folder for temporary files are on different file systems.
    static let hasTwoDisks: Bool = {
        var (memory, temporary) = (stat(), stat())
        return stat("/dev/shm", &memory) == 0 && access("/dev/shm", W_OK) == 0
            && stat(FileManager.default.temporaryDirectory.path, &temporary) == 0
            && memory.st_dev != temporary.st_dev
    }()

    private func removeFiles() { try? FileManager.default.removeItem(atPath: top) }

    @Test func `publishes to a free name and removes the part file`() throws {
        defer { removeFiles() }
        #expect(try DurableFile.publishOverEmpty(part, as: final, resumes: false))
        #expect(FileManager.default.contents(atPath: final) == Self.photo && !DurableFile.exists(part))
    }

    /// An NFS client may report a name as taken after it has created the name itself.
    @Test(arguments: [false, true])
    func `removes the part name if the file already has its final name`(resumes: Bool) throws {
        defer { removeFiles() }
        #expect(link(part, final) == 0)
        #expect(try DurableFile.publish(part, as: final, resumes: resumes))
        #expect(FileManager.default.contents(atPath: final) == Self.photo && !DurableFile.exists(part))
    }

    @Test(arguments: [Data("other".utf8), Data()])
    func `a first attempt replaces no existing file, not even an empty one`(other: Data) throws {
        defer { removeFiles() }
        try other.write(to: URL(filePath: final))
        #expect(try !DurableFile.publishOverEmpty(part, as: final, resumes: false))
        #expect(FileManager.default.contents(atPath: final) == other)
        #expect(FileManager.default.contents(atPath: part) == Self.photo)
    }

    @Test func `replaces an empty file only when publishing resumes after a crash`()
        throws
    {
        defer { removeFiles() }
        try Data("other".utf8).write(to: URL(filePath: final))
        #expect(try !DurableFile.publishOverEmpty(part, as: final, resumes: true))
        try Data().write(to: URL(filePath: final))
        #expect(try DurableFile.publishOverEmpty(part, as: final, resumes: true))
        #expect(FileManager.default.contents(atPath: final) == Self.photo)
    }

    @Test func `removes its empty file after a failure and never replaces a folder`() throws {
        defer { removeFiles() }
        #expect(throws: SystemCallError.self) {
            try DurableFile.publishOverEmpty(top + "/gone.part", as: final, resumes: false)
        }
        #expect(!DurableFile.exists(final))
        try FileManager.default.createDirectory(atPath: final, withIntermediateDirectories: false)
        #expect(try !DurableFile.publishOverEmpty(part, as: final, resumes: true))
    }

    @Test(
        .enabled(if: PublishTests.hasTwoDisks, "needs /dev/shm as a separate file system"),
        arguments: [false, true])
    func `publishes a copy to another file system and replaces no other file`(resumes: Bool) throws {
        defer { removeFiles() }
        let name = "publish-\(UUID().uuidString).part"
        let part = "/dev/shm/" + name
        defer { try? FileManager.default.removeItem(atPath: part) }
        try Self.photo.write(to: URL(filePath: part))
        try #require(chmod(part, 0o600) == 0)
        let time = Date(timeIntervalSince1970: 1_000_000_000)
        DurableFile.setModificationTime(of: part, to: time)
        try Data("other".utf8).write(to: URL(filePath: final))
        #expect(try !DurableFile.publish(part, as: final, resumes: resumes))
        #expect(FileManager.default.contents(atPath: final) == Data("other".utf8))
        #expect(FileManager.default.contents(atPath: part) == Self.photo)
        // The service was interrupted while it wrote a copy.
        try Data("pho".utf8).write(to: URL(filePath: "\(top)/.\(name)"))
        try FileManager.default.removeItem(atPath: final)
        #expect(try DurableFile.publish(part, as: final, resumes: resumes))
        #expect(FileManager.default.contents(atPath: final) == Self.photo && !DurableFile.exists(part))
        #expect(FolderPermission(of: final)?.mode == S_IFREG | 0o600)
        let attributes = try FileManager.default.attributesOfItem(atPath: final)
        #expect(attributes[.modificationDate] as? Date == time)
        #expect(Set(try FolderReader.names(in: top)) == ["1-a.part", "photo.JPG"])
    }

    @Test(.enabled(if: PublishTests.hasTwoDisks, "needs /dev/shm as a separate file system"))
    func `removes its copy if the copy cannot get the name`() throws {
        defer { removeFiles() }
        let part = "/dev/shm/publish-\(UUID().uuidString).part"
        defer { try? FileManager.default.removeItem(atPath: part) }
        try Self.photo.write(to: URL(filePath: part))
        let longName = String(repeating: "a", count: 300)
        #expect(throws: SystemCallError.self) {
            try DurableFile.publish(part, as: "\(top)/\(longName)", resumes: false)
        }
        #expect(FileManager.default.contents(atPath: part) == Self.photo)
        #expect(try FolderReader.names(in: top) == ["1-a.part"])
    }

    /// The client of an SMB share refuses to read a file under another descriptor's exclusive lock.
    @Test func `holds a shared lock of the file while it is copied`() async throws {
        defer { removeFiles() }
        let copy = DurableFile.copyPath(of: part, as: final)
        var isCopying = false
        try DurableFile.makeCopy(of: part, at: copy) { _ in
            let files = [part, copy].map { (path: String) in open(path, O_RDONLY | O_CLOEXEC) }
            isCopying =
                DurableFile.isCopying(part) && files.allSatisfy { flock($0, LOCK_SH | LOCK_NB) == 0 }
            for file in files { close(file) }
            return nil
        }
        #expect(isCopying)
        // A child process of another test may hold a copy of the descriptor until it calls execve(2).
        _ = try await eventually("the lock to be released") { () -> Bool? in
            DurableFile.isCopying(part) ? nil : true
        }
    }

    /// The camera may have deleted the photo from its memory.
    @Test func `keeps the part file if the name of its copy is not durable`() throws {
        defer { removeFiles() }
        let refuse: (String) throws(SystemCallError) -> Void = { path throws(SystemCallError) in
            throw SystemCallError(call: "fsync", subject: path, errno: .ioError)
        }
        #expect(throws: SystemCallError.self) {
            try DurableFile.publishCopy(of: part, as: final, resumes: false, syncFolder: refuse)
        }
        #expect(FileManager.default.contents(atPath: part) == Self.photo)
        #expect(try FolderReader.names(in: top) == ["1-a.part"])
    }

    /// After a crash, the name may belong to a complete copy on a disk that is now full.
    @Test(arguments: [false, true])
    func `makes no copy if the name is in use`(resumes: Bool) throws {
        defer { removeFiles() }
        try Self.photo.write(to: URL(filePath: final))
        // A folder with the name of the copy makes each attempt to copy fail.
        try FileManager.default.createDirectory(
            atPath: DurableFile.copyPath(of: part, as: final), withIntermediateDirectories: false)
        #expect(try !DurableFile.publishCopy(of: part, as: final, resumes: resumes))
        #expect(FileManager.default.contents(atPath: part) == Self.photo)
        #expect(FileManager.default.contents(atPath: final) == Self.photo)
    }
}
