import Foundation
import Repository
import TestRig
import Testing

@Suite(.blocking) struct WallTests {
    /// Past this a file has a second idea.
    static let linesMax = 500

    @Test func `every room imports only what the manifest gives it`() throws {
        let files = try SourceFile.all(under: "Sources")
        #expect(files.count > 50)
        for file in files {
            let room = try #require(Room.all[file.room], "\(file.path): the room is not in Package.swift")
            #expect(room.wing == file.wing.lowercased(), "\(file.path)")
            for module in try file.imports() where !room.imports.union(Room.everywhere).contains(module) {
                Issue.record("\(file.path) imports \(module)")
            }
        }
    }

    @Test func `every room stands on its own wing and on those below`() throws {
        // A door and the makers' data are C, and have no Swift files.
        let folders = try FileManager.default.contentsOfDirectory(atPath: Repository.file("Sources").path)
        #expect(Set(folders) == Set(Wings.standsOn.keys))
        var wingOfRoom: [String: String] = [:]
        for wing in folders {
            for room in try FileManager.default.contentsOfDirectory(
                atPath: Repository.file("Sources/\(wing)").path)
            {
                wingOfRoom[room] = wing
            }
        }
        for room in Room.all.values {
            let wing = try #require(wingOfRoom[room.name], "\(room.name) has no folder")
            let allowed = try #require(Wings.standsOn[wing]).union([wing])
            for other in room.imports.compactMap({ wingOfRoom[$0] }) where !allowed.contains(other) {
                Issue.record("\(wing)/\(room.name) stands on \(other)")
            }
        }
    }

    @Test func `the drawing has no circle, and the document draws the same`() throws {
        var standing: Set<String> = []
        while let next = Wings.standsOn.keys.sorted().first(where: {
            !standing.contains($0) && (Wings.standsOn[$0] ?? []).isSubset(of: standing)
        }) {
            standing.insert(next)
        }
        #expect(standing == Set(Wings.standsOn.keys))
        let rows = try String(contentsOf: Repository.file("ARCHITECTURE.md"), encoding: .utf8)
            .matches(of: /\n\| `(?<wing>\w+)\/` \|[^\n]*\| (?<below>[^|\n]*) \|/)
        let drawn = Dictionary(
            rows.map { row in
                (String(row.wing), Set(row.below.split { ", –".contains($0) }.map(String.init)))
            }, uniquingKeysWith: { first, _ in first })
        #expect(drawn == Wings.standsOn)
    }

    @Test func `no file is too long`() throws {
        for file in try SourceFile.all(under: "Sources") + SourceFile.all(under: "Tests")
        where file.lines.count > Self.linesMax {
            Issue.record("\(file.path) has \(file.lines.count) lines")
        }
    }

    @Test func `every unchecked promise gives its reason on the next line`() throws {
        let promise = try LinePattern(#"@unchecked Sendable|nonisolated\(unsafe\)"#)
        for file in try SourceFile.all(under: "Sources") {
            for (number, line) in file.code(matching: promise) {
                let next = number < file.lines.count ? file.lines[number] : ""
                if !next.trimmingCharacters(in: .whitespaces).hasPrefix("//") {
                    Issue.record(
                        "\(file.path): no reason after “\(line.trimmingCharacters(in: .whitespaces))”")
                }
            }
        }
    }

    @Test func `only the driver's room sees its numbers, only the store speaks SQL`() throws {
        let driverNumber = try LinePattern(#"\bGP_[A-Z]+_"#)
        let statement = try LinePattern(#"\b(SELECT|INSERT INTO|UPDATE|DELETE FROM) [a-z]+ "#)
        for file in try SourceFile.all(under: "Sources") {
            if file.room != "GPhoto2" && !file.code(matching: driverNumber).isEmpty {
                Issue.record("\(file.path) names a GP_ number")
            }
            if file.room != "Store" && !file.code(matching: statement).isEmpty {
                Issue.record("\(file.path) speaks SQL")
            }
        }
    }

    @Test(arguments: Room.unwanted.keys.sorted())
    func `programs load only what they may`(program: String) throws {
        let needed = try Self.libraries(of: Programs.path(program).path)
        #expect(needed.contains { $0.hasPrefix("libc.so") })
        for library in Room.unwanted[program] ?? [] {
            #expect(!needed.contains { $0.hasPrefix(library) }, "\(program) loads \(library)")
        }
    }

    @Test func `the worker loads the camera library`() throws {
        let needed = try Self.libraries(of: Programs.path("framefast-camera").path)
        #expect(needed.contains { $0.hasPrefix("libgphoto2.so") })
    }

    /// Everything that the dynamic linker would load for a program, also through other libraries.
    private static func libraries(of path: String) throws -> [String] {
        let ldd = Process()
        let output = Pipe()
        ldd.executableURL = URL(filePath: "/usr/bin/ldd")
        ldd.arguments = [path]
        ldd.standardOutput = output
        try ldd.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        ldd.waitUntilExit()
        return text.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
