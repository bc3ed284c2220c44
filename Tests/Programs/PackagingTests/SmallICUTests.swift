import Foundation
import Repository
import TestRig
import Testing

/// Tests of the subset of ICU's data that the programs are linked with.
@Suite(.programs(2)) struct SmallICUTests {
    private static let script = Repository.root.appending(path: "scripts/small-icu")

    @Test(.programs(4), .nightly("links two programs; the release build links with the same script"))
    func `reduced ICU data gives the same dates and zones as all data`() async throws {
        let (status, output) = try await RunningProgram.run(Self.script, [], in: ScratchFolder())
        #expect(status == 0, "\(output)")
        let arguments = output.split(separator: "\n").map(String.init)
        #expect(arguments.first?.wholeMatch(of: #/--wrap=icudt\d+_dat/#) != nil)
        let object = try #require(arguments.last)
        let size = try #require(FileManager.default.attributesOfItem(atPath: object)[.size] as? Int)
        #expect((1_000_000...3_000_000).contains(size))
    }

    @Test(.programs(4), .nightly("links two programs; the release build links with the same script"))
    func `stops the build when required ICU data is missing`() async throws {
        let (status, output) = try await RunningProgram.run(
            Self.script, ["--without", "zone/en.res"], in: ScratchFolder())
        #expect(status == 1)
        #expect(output.hasPrefix("small-icu: the kept part of ICU's data is too small: "), "\(output)")
    }

    @Test func `stops the build when the ICU data file is missing`() async throws {
        let folder = try ScratchFolder()
        let other = folder.path("other.a")
        try Data("!<arch>\n".utf8).write(to: URL(filePath: other))
        for (archive, says) in [(other, "has no data of ICU"), (folder.path("none.a"), "cannot find")] {
            let (status, output) = try await RunningProgram.run(
                Self.script, ["--archive", archive], in: folder)
            #expect(status == 1)
            #expect(output.hasPrefix("small-icu: ") && output.contains(says), "\(output)")
        }
    }

    @Test func `stops the build when the ICU data has an unknown format`() async throws {
        let folder = try ScratchFolder()
        let source = folder.path("data.c")
        try "const char icudt99_dat[64] = {1};".write(toFile: source, atomically: true, encoding: .utf8)
        for (program, arguments) in [
            ("clang", ["-c", source, "-o", folder.path("data.o")]),
            ("ar", ["rc", folder.path("other.a"), folder.path("data.o")]),
        ] {
            let (status, output) = try await RunningProgram.run(
                URL(filePath: "/usr/bin/env"), [program] + arguments, in: folder)
            try #require(status == 0, "\(output)")
        }
        let (status, output) = try await RunningProgram.run(
            Self.script, ["--archive", folder.path("other.a")], in: folder)
        #expect(status == 1)
        #expect(output.contains("not in the format"), "\(output)")
    }
}
