import Foundation
import Testing

@testable import FrameFastSystem

/// Tests of publishing on a file system without hard links and without RENAME_NOREPLACE.
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

    private func removeFiles() { try? FileManager.default.removeItem(atPath: top) }

    @Test func `publishes to a free name and removes the part file`() throws {
        defer { removeFiles() }
        #expect(try DurableFile.publishOverEmpty(part, as: final, resumes: false))
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
}
