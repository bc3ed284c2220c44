import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of saving photos with untrusted file names.
@Suite(.programs(2)) struct HostileNamesTests {
    /// Names with the simulator's escape sequences `\n`, `\\` and `\uXXXX`.
    static let names = [
        #"../../etc/x"#, #"../escape.jpg"#, #"/abs/olute.jpg"#, #"sub/dir.jpg"#, #".."#, #"."#, #""#,
        #"12345678"#,
        #"-rf.jpg"#, #"$(id).jpg"#, #"%s%n.jpg"#, #"\u001B[31mred.jpg"#, #"new\nline.jpg"#,
        #"bell\u0007.jpg"#,
        #"nul\u0000.jpg"#, #"\uD800lone.jpg"#, #"lone\uDC00.jpg"#, #"\u202Egpj.exe"#, #"été.jpg"#, #"写真.jpg"#,
        #".hidden.jpg"#, #".framefast"#, #"con\\fig.jpg"#, #"a.part"#,
        String(repeating: "n", count: 100) + ".jpg",
    ]

    @Test(arguments: Tier.rows(names, gate: 1))
    func `keeps a photo with a hostile name inside the capture directory`(name: String) async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let rig = try DaemonRig(
            cameras: [("a", camera.address)], captures: folder.path("in/ner/captures"),
            capture: ["template = \"{original}.{ext}\""])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        let outside = try Self.allFiles(in: folder.path("in"))
        try camera.command("shoot")
        try camera.command("name \(name)")
        try camera.command("shoot 2")
        let taken = try camera.hashes()
        #expect(taken.count == 3)
        let last = try await rig.waitUntil("three photos to be in a final state", within: 60) {
            try $0.records.count >= 3 && $0.isSettled
        }
        #expect(try last.hashes == taken.sorted(), "[loss] wrong photos on disk")
        #expect(try last.records.compactMap(\.sha256).sorted() == taken.sorted(), "[loss] wrong records")
        let added = try Self.allFiles(in: folder.path("in")).subtracting(outside)
        #expect(added.allSatisfy { $0.hasPrefix("ner/captures/") }, "[loss] files outside: \(added)")
        for file in try last.files.keys {
            #expect(!file.unicodeScalars.contains { $0.value < 32 || $0.value == 127 })
            #expect(!file.hasPrefix("-") && !file.hasPrefix(".") && file.utf8.count < 255)
        }
        #expect(try await rig.stop() == 0)
    }

    private static func allFiles(in folder: String) throws -> Set<String> {
        Set(try FileManager.default.subpathsOfDirectory(atPath: folder))
    }

    /// libgphoto2 2.5.30 copies the name of an announced object to a buffer of fixed size, and aborts if the
    /// name is too long. Listing the same object succeeds.
    @Test(arguments: Tier.rows([254, 130], gate: 1))
    func `saves a photo whose name crashes the driver`(length: Int) async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let rig = try DaemonRig(
            cameras: [("a", camera.address)], capture: ["template = \"{original}.{ext}\""])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot")
        try camera.command("name \(String(repeating: "x", count: length - 4)).jpg")
        try camera.command("shoot 3")
        let taken = try camera.hashes()
        let last = try await rig.waitUntil("four photos to be in a final state", within: 60) {
            try $0.status.captures.total >= 4 && $0.records.count >= 4 && $0.isSettled
        }
        #expect(try last.hashes == taken.sorted(), "[loss] wrong photos on disk")
        #expect(try last.records.compactMap(\.sha256).sorted() == taken.sorted(), "[loss] wrong records")
        #expect(try last.files.keys.allSatisfy { $0.utf8.count <= 255 })
        #expect(rig.log.contains("crashed(signal: 6,"), "the driver still has this bug")
        try camera.command("shoot")
        try await rig.status("one more photo, and no condition", within: 60) {
            $0.captures.total >= 5 && $0.conditions.isEmpty
        }
        #expect(try await rig.stop() == 0)
    }

    @Test(.nightly("SameSerialTests covers equal names, NamingTests covers each name"))
    func `saves photos separately if their sanitized names are equal`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let rig = try DaemonRig(
            cameras: [("a", camera.address)], capture: ["template = \"{original}.{ext}\""])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        for name in ["a?b.jpg", "a*b.jpg", "a:b.JPG", "same.jpg"] {
            try camera.command("name \(name)")
            try camera.command("shoot")
        }
        try camera.command("number 9999")
        try camera.command("shoot")
        try camera.command("name same.jpg")
        try camera.command("shoot")
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        let last = try await rig.waitUntil("six files") { try $0.files.count == 6 }
        let names = try Set(last.files.keys)
        #expect(names.isSuperset(of: ["a_b.jpg", "a_b-2.jpg", "a_b-3.jpg", "same.jpg", "same-2.jpg"]))
        try await rig.stop()
    }
}
