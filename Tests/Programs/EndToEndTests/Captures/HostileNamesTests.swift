import Foundation
import FrameFastAPI
import TestRig
import Testing

/// File names from a camera are data.
@Suite struct HostileNamesTests {
    /// Names as the simulator reads them: `\n`, `\\` and `\uXXXX`.
    static let names = [
        #"../../etc/x"#, #"../escape.jpg"#, #"/abs/olute.jpg"#, #"sub/dir.jpg"#, #".."#, #"."#, #""#,
        #"12345678"#,
        #"-rf.jpg"#, #"$(id).jpg"#, #"%s%n.jpg"#, #"\u001B[31mred.jpg"#, #"new\nline.jpg"#,
        #"bell\u0007.jpg"#,
        #"nul\u0000.jpg"#, #"\uD800lone.jpg"#, #"lone\uDC00.jpg"#, #"\u202Egpj.exe"#, #"été.jpg"#, #"写真.jpg"#,
        #".hidden.jpg"#, #".framefast"#, #"con\\fig.jpg"#, #"a.part"#,
        String(repeating: "n", count: 100) + ".jpg",
    ]

    @Test(arguments: names)
    func `a photo with any name stays inside the capture directory and stops nothing`(name: String)
        async throws
    {
        try await Turns.few.take {
            let folder = try ScratchFolder()
            let camera = try await Simulator(folder, ["--size", "50KB"])
            let rig = try DaemonRig(
                cameras: [("a", camera.address)], captures: folder.path("in/ner/captures"),
                capture: ["template = \"{original}.{ext}\""])
            try await rig.start()
            try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
            let outside = try Self.everything(in: folder.path("in"))
            try camera.command("shoot")
            try camera.command("name \(name)")
            try camera.command("shoot 2")
            let records = try await rig.settled(3)
            let taken = try camera.hashes()
            #expect(taken.count == 3)
            #expect(Set(try rig.files().values) == taken)
            #expect(Set(records.compactMap(\.sha256)) == taken)
            #expect(rig.parts().isEmpty)
            let added = try Self.everything(in: folder.path("in")).subtracting(outside)
            #expect(added.allSatisfy { $0.hasPrefix("ner/captures/") })
            for file in try rig.files().keys {
                #expect(!file.unicodeScalars.contains { $0.value < 32 || $0.value == 127 })
                #expect(!file.hasPrefix("-") && !file.hasPrefix(".") && file.utf8.count < 255)
            }
            #expect(try await rig.stop() == 0)
        }
    }

    private static func everything(in folder: String) throws -> Set<String> {
        Set(try FileManager.default.subpathsOfDirectory(atPath: folder))
    }

    /// libgphoto2 2.5.30 aborts when such an object is announced (a fixed buffer), but not when it is listed.
    @Test(arguments: [130, 254])
    func `a name that kills the driver costs a worker and no photo`(length: Int) async throws {
        try await Turns.few.take {
            let folder = try ScratchFolder()
            let camera = try await Simulator(folder, ["--size", "50KB"])
            let rig = try DaemonRig(
                cameras: [("a", camera.address)], capture: ["template = \"{original}.{ext}\""])
            try await rig.start()
            try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
            try camera.command("shoot")
            try camera.command("name \(String(repeating: "x", count: length - 4)).jpg")
            try camera.command("shoot 3")
            try await rig.saved(4)
            let taken = try camera.hashes()
            #expect(Set(try rig.files().values) == taken)
            #expect(Set(try rig.records().compactMap(\.sha256)) == taken)
            #expect(try rig.files().keys.allSatisfy { $0.utf8.count <= 255 })
            #expect(rig.log.contains("crashed(signal: 6)"), "the driver's bug is still there")
            try camera.command("shoot")
            try await rig.saved(5)
            #expect(try rig.status().conditions.isEmpty)
            #expect(try await rig.stop() == 0)
        }
    }

    @Test
    func
        `photos of the same name from different folders, and of names that clean to the same, are kept apart`()
        async throws
    {
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
        try await rig.saved(6)
        let wrong = try rig.differences(from: camera.truth())
        #expect(wrong == [])
        let names = Set(try rig.files().keys)
        #expect(names.isSuperset(of: ["a_b.jpg", "a_b-2.jpg", "a_b-3.jpg", "same.jpg", "same-2.jpg"]))
    }
}
