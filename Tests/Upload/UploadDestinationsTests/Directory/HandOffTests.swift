import Foundation
import FrameFastModel
import TestRig
import Testing
import UploadEngine

@testable import UploadDestinations

/// Folders that other programs watch: each photo is seen once, whole, and after its sidecar.
@Suite struct HandOffTests {
    private let scratch: ScratchFolder
    private var hot: String { scratch.path("hot folder") }

    init() throws {
        scratch = try ScratchFolder()
        try FileManager.default.createDirectory(atPath: hot, withIntermediateDirectories: true)
    }

    private func destination(isFlat: Bool = true, touches: Bool = false) -> DirectoryDestination {
        DirectoryDestination(
            name: "hot", folder: hot, stateDirectory: scratch.path("state"),
            handOff: .init(isFlat: isFlat, touches: touches))
    }

    private func photo(
        _ name: String, _ naming: XMPNaming = .nameAndExtension, bytes: Int = 300_000,
        sidecar: String = "<x/>"
    ) throws -> UploadItem {
        var item = try TestPhotos.one(bytes: bytes, in: scratch)
        item.remoteName = name
        if naming != .off {
            item.companion = UploadCompanion(
                naming: naming, kind: MediaKind(fileName: name), bytes: Array(sidecar.utf8))
        }
        return item
    }

    private var names: Set<String> {
        get throws {
            Set(
                try FileManager.default.subpathsOfDirectory(atPath: hot).filter {
                    !$0.hasPrefix(".framefast")
                })
        }
    }

    private func text(_ name: String) -> String? {
        try? String(contentsOfFile: hot + "/" + name, encoding: .utf8)
    }

    @Test(arguments: FolderWatcher.Kind.allCases)
    func `a watcher of each kind sees each photo once, whole, its sidecar first`(kind: FolderWatcher.Kind)
        async throws
    {
        let place = destination(touches: kind == .closeWrite)
        let watcher = FolderWatcher(hot, kind)
        var sent: [String: Data] = [:]
        for number in 1...8 {
            let item = try photo("Tag \(number)/Küche \(number).CR3")
            sent["Küche \(number).CR3"] = try Data(contentsOf: URL(filePath: item.localPath))
            #expect(try await place.upload(item).remoteName == "Küche \(number).CR3")
        }
        let photos = watcher.stop().filter { !$0.name.hasSuffix(".xmp") }
        #expect(photos.map(\.name).sorted() == sent.keys.sorted())
        for photo in photos {
            #expect(photo.bytes == sent[photo.name], "\(photo.name)")
            #expect(photo.beside.contains(photo.name + ".xmp"), "\(photo.name)")
        }
    }

    @Test func `without being asked for it no file is opened for writing again`() async throws {
        let watcher = FolderWatcher(hot, .closeWrite)
        _ = try await destination().upload(try photo("a.CR3"))
        #expect(watcher.stop().isEmpty)
    }

    @Test func `photos of one name in two folders get a counter, with their sidecars`() async throws {
        let place = destination()
        let first = try photo("Day 1/A.CR3", sidecar: "<first/>")
        let second = try photo("Day 2/A.CR3", sidecar: "<second/>")
        _ = try await place.upload(first)
        #expect(try await place.upload(second).remoteName == "A-2.CR3")
        #expect(try names == ["A.CR3", "A.CR3.xmp", "A-2.CR3", "A-2.CR3.xmp"])
        #expect(text("A.CR3.xmp") == "<first/>" && text("A-2.CR3.xmp") == "<second/>")
        // Each again: it is there.
        #expect(try await place.upload(second).wasThere)
        #expect(try names.count == 4)
    }

    @Test func `a RAW whose sidecar's name is somebody's gets the next number, and its JPEG keeps its own`()
        async throws
    {
        let place = destination()
        try "edited".write(toFile: hot + "/A.xmp", atomically: true, encoding: .utf8)
        #expect(try await place.upload(try photo("A.CR3", .name)).remoteName == "A-2.CR3")
        #expect(try await place.upload(try photo("A.JPG", .name)).remoteName == "A.JPG")
        #expect(try names == ["A.xmp", "A-2.xmp", "A-2.CR3", "A.JPG"] && text("A.xmp") == "edited")
    }

    @Test func `after a try that ended between sidecar and photo both are there once`() async throws {
        let place = destination()
        let item = try photo("A.CR3")
        try "<x/>".write(toFile: hot + "/A.CR3.xmp", atomically: true, encoding: .utf8)
        #expect(try await place.upload(item).remoteName == "A.CR3")
        #expect(try names == ["A.CR3", "A.CR3.xmp"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: hot + "/.framefast") == ["destination"])
    }

    @Test func `folders are kept where nothing else is said`() async throws {
        #expect(
            try await destination(isFlat: false).upload(try photo("Day 1/A.CR3")).remoteName == "Day 1/A.CR3")
        #expect(try names == ["Day 1", "Day 1/A.CR3", "Day 1/A.CR3.xmp"])
    }
}
