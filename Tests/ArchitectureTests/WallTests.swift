import Foundation
import TestRig
import Testing

@Suite struct WallTests {
    /// Past this a file has a second idea.
    static let linesMax = 500

    @Test func `every room imports only what it may`() throws {
        let files = try SourceFile.all(under: "Sources")
        #expect(files.count > 50)
        for file in files {
            let arrows = try #require(Rooms.arrows[file.room], "\(file.path): the room is not in the list")
            let allowed = arrows.union(Rooms.packages[file.room] ?? []).union(Rooms.everywhere)
            for module in file.imports where !allowed.contains(module) {
                Issue.record("\(file.path) imports \(module)")
            }
        }
    }

    @Test func `no file is too long`() throws {
        for file in try SourceFile.all(under: "Sources") + SourceFile.all(under: "Tests")
        where file.lines.count > Self.linesMax {
            Issue.record("\(file.path) has \(file.lines.count) lines")
        }
    }

    @Test func `every unchecked promise gives its reason on the next line`() throws {
        for file in try SourceFile.all(under: "Sources") {
            for (line, next) in zip(file.lines, file.lines.dropFirst() + [""]) {
                let isPromise = line.contains("@unchecked Sendable") || line.contains("nonisolated(unsafe)")
                guard isPromise, !line.trimmingCharacters(in: .whitespaces).hasPrefix("//") else { continue }
                if !next.trimmingCharacters(in: .whitespaces).hasPrefix("//") {
                    Issue.record(
                        "\(file.path): no reason after “\(line.trimmingCharacters(in: .whitespaces))”")
                }
            }
        }
    }

    @Test func `only the driver's room sees its numbers, only the store speaks SQL`() throws {
        let driverNumber = try Regex(#"\bGP_[A-Z]+_"#)
        let statement = try Regex(#"\b(SELECT|INSERT INTO|UPDATE|DELETE FROM) [a-z]+ "#)
        for file in try SourceFile.all(under: "Sources") {
            let text = file.lines.filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }.joined(
                separator: "\n")
            if file.room != "GPhoto2" && text.contains(driverNumber) {
                Issue.record("\(file.path) names a GP_ number")
            }
            if file.room != "Store" && text.contains(statement) {
                Issue.record("\(file.path) speaks SQL")
            }
        }
    }

    @Test(arguments: Rooms.unwanted.keys.sorted())
    func `programs load only what they may`(program: String) throws {
        let needed = try Self.libraries(of: Programs.path(program).path)
        #expect(needed.contains { $0.hasPrefix("libc.so") })
        for library in Rooms.unwanted[program] ?? [] {
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
