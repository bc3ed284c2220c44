import Cameras
import Foundation
import Testing

@Suite struct ServiceGUIDTests {
    /// A folder that is deleted after the test.
    private final class Folder {
        let path = NSTemporaryDirectory() + "framefast-guid-\(UUID().uuidString.prefix(8))"
        init() throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        deinit { try? FileManager.default.removeItem(atPath: path) }
        var settings: String { path + "/.gphoto/settings" }
        var files: [String] { (try? FileManager.default.subpathsOfDirectory(atPath: path).sorted()) ?? [] }
        func write(_ text: String) throws {
            try FileManager.default.createDirectory(
                atPath: path + "/.gphoto", withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: settings))
        }
        func read() throws -> String { try String(contentsOfFile: settings, encoding: .isoLatin1) }
    }

    private static let sample = "00:01:7f:80:ff:0a:b0:c1:d2:e3:f4:05:16:27:38:49"

    @Test func `converts a GUID to and from libgphoto2's text form`() throws {
        let guid = try #require(ServiceGUID(Self.sample))
        #expect(guid.bytes.prefix(5) == [0x00, 0x01, 0x7F, 0x80, 0xFF])
        #expect(guid.description == Self.sample)
        #expect(ServiceGUID(Self.sample.dropLast(3)) == nil)
        #expect(ServiceGUID(Self.sample.replacing("7f", with: "7g")) == nil)
        #expect(ServiceGUID(Self.sample.replacing("7f", with: "+f")) == nil)
        #expect(ServiceGUID(Self.sample + ":") == nil)
    }

    @Test func `concurrent first reads create one GUID per installation`() async throws {
        let folder = try Folder()
        let state = folder.path
        let all = try await withThrowingTaskGroup { group in
            for _ in 0..<8 { group.addTask { try ServiceGUID.installed(in: state) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(all.count == 1)
        #expect(try ServiceGUID.installed(in: state) == all.first)
        #expect(folder.files == [ServiceGUID.fileName])
        #expect(ServiceGUID.random() != ServiceGUID.random())
    }

    @Test func `throws for a damaged GUID file and does not replace it`() throws {
        let folder = try Folder()
        let path = "\(folder.path)/\(ServiceGUID.fileName)"
        try Data("00:01\n".utf8).write(to: URL(filePath: path))
        #expect(throws: ServiceGUIDError.damaged(path)) { try ServiceGUID.installed(in: folder.path) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "00:01\n")
    }

    private static let long = String(repeating: "x", count: 256)

    @Test(arguments: [
        ("", ""),
        ("ptp2=capturetarget=card\n", "ptp2=capturetarget=card\n"),
        ("ptp2_ip=guid=11:22\nptp2=autofocus=off\n", "ptp2=autofocus=off\n"),
        ("a=b=c", "a=b=c\n"),
        ("a=b=\na=c=d=e\n", "a=b=\na=c=d=e\n"),
        ("ptp2_ip=guidance=1\n", "ptp2_ip=guidance=1\n"),
        // With these lines, libgphoto2 would discard the file or overflow a field.
        ("no setting\na=b=c\nhalf=one\n==v\na==v\n", "a=b=c\n"),
        ("a=b=\(long)\n\(long)=b=c\na=\(long)=c\n", ""),
        ("a=b=caf\u{E9}\n", "a=b=caf\u{C3}\u{A9}\n"),
    ])
    func `writes a worker's GUID setting and keeps other valid lines`(old: String, rest: String) throws {
        let folder = try Folder()
        try folder.write(old)
        let guid = try #require(ServiceGUID(Self.sample))
        try guid.writeDriverSettings(home: folder.path)
        #expect(try folder.read() == "ptp2_ip=guid=\(guid)\n" + rest)
        #expect(folder.files == [".gphoto", ".gphoto/settings"])
    }

    @Test func `does not rewrite settings that already have the GUID`() throws {
        let folder = try Folder()
        let guid = ServiceGUID.random()
        try guid.writeDriverSettings(home: folder.path + "/new/home")
        let path = folder.path + "/new/home/.gphoto/settings"
        func file() throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        }
        let before = try file()
        try guid.writeDriverSettings(home: folder.path + "/new/home")
        #expect(try file() == before)
        try ServiceGUID.random().writeDriverSettings(home: folder.path + "/new/home")
        #expect(try file() != before)
    }

    @Test func `replaces a linked settings file or pipe, and refuses a linked folder`() throws {
        let folder = try Folder()
        try folder.write("a=b=c\n")
        let victim = folder.path + "/victim"
        try Data("precious".utf8).write(to: URL(filePath: victim))
        try FileManager.default.removeItem(atPath: folder.settings)
        try FileManager.default.createSymbolicLink(atPath: folder.settings, withDestinationPath: victim)
        let guid = ServiceGUID.random()
        try guid.writeDriverSettings(home: folder.path)
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
        #expect(try folder.read() == "ptp2_ip=guid=\(guid)\n")

        try FileManager.default.removeItem(atPath: folder.settings)
        #expect(mkfifo(folder.settings, 0o600) == 0)
        try guid.writeDriverSettings(home: folder.path)
        #expect(try folder.read() == "ptp2_ip=guid=\(guid)\n")

        let elsewhere = try Folder()
        try FileManager.default.createSymbolicLink(
            atPath: elsewhere.path + "/.gphoto", withDestinationPath: folder.path)
        #expect(throws: ServiceGUIDError.unexpectedFile(elsewhere.path + "/.gphoto")) {
            try guid.writeDriverSettings(home: elsewhere.path)
        }
    }
}
