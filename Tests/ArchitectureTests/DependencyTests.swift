import Foundation
import Repository
import TestRig
import Testing

@Suite(.blocking) struct DependencyTests {
    /// The maximum number of lines of a file. CONTRIBUTING.md names this number.
    static let linesMax = 500

    @Test func `modules import only what the manifest declares`() throws {
        let files = try SourceFile.all(under: "Sources")
        #expect(files.count > 50)
        for file in files {
            let module = try #require(
                Module.all[file.module], "\(file.path): the module is not in Package.swift")
            #expect(module.layer == file.layer.lowercased(), "\(file.path)")
            for name in try file.imports() where !module.imports.union(Module.everywhere).contains(name) {
                Issue.record("\(file.path) imports \(name)")
            }
        }
    }

    @Test func `modules depend only on their own layer and on the layers below`() throws {
        // Lists the folders, because C modules have no Swift files.
        let folders = try FileManager.default.contentsOfDirectory(atPath: Repository.file("Sources").path)
        #expect(Set(folders) == Set(Layers.dependencies.keys))
        var layerOfModule: [String: String] = [:]
        for layer in folders {
            for module in try FileManager.default.contentsOfDirectory(
                atPath: Repository.file("Sources/\(layer)").path)
            {
                layerOfModule[module] = layer
            }
        }
        for module in Module.all.values {
            let layer = try #require(layerOfModule[module.name], "\(module.name) has no folder")
            let allowed = try #require(Layers.dependencies[layer]).union([layer])
            for other in module.imports.compactMap({ layerOfModule[$0] }) where !allowed.contains(other) {
                Issue.record("\(layer)/\(module.name) depends on \(other)")
            }
        }
    }

    @Test func `layers have no cyclic dependency and match ARCHITECTURE.md`() throws {
        var visited: Set<String> = []
        while let next = Layers.dependencies.keys.sorted().first(where: {
            !visited.contains($0) && (Layers.dependencies[$0] ?? []).isSubset(of: visited)
        }) {
            visited.insert(next)
        }
        #expect(visited == Set(Layers.dependencies.keys))
        let rows = try String(contentsOf: Repository.file("ARCHITECTURE.md"), encoding: .utf8)
            .matches(of: /\n\| `(?<layer>\w+)\/` \|[^\n]*\| (?<below>[^|\n]*) \|/)
        let documented = Dictionary(
            rows.map { row in
                (String(row.layer), Set(row.below.split { ", –".contains($0) }.map(String.init)))
            }, uniquingKeysWith: { first, _ in first })
        #expect(documented == Layers.dependencies)
    }

    @Test func `no file exceeds the line limit of CONTRIBUTING.md`() throws {
        let rules = try String(contentsOf: Repository.file("CONTRIBUTING.md"), encoding: .utf8)
        #expect(rules.contains("more than \(Self.linesMax) lines"))
        for file in try SourceFile.all(under: "Sources") + SourceFile.all(under: "Tests") {
            // A text that ends with a line feed has an empty last element.
            let count = file.lines.count - (file.lines.last == "" ? 1 : 0)
            if count > Self.linesMax { Issue.record("\(file.path) has \(count) lines") }
        }
    }

    @Test func `a comment with the reason follows each unchecked concurrency annotation`() throws {
        let annotation = try LinePattern(#"@unchecked Sendable|nonisolated\(unsafe\)"#)
        for file in try SourceFile.all(under: "Sources") {
            for (number, line) in file.code(matching: annotation) {
                let next = number < file.lines.count ? file.lines[number] : ""
                if !next.trimmingCharacters(in: .whitespaces).hasPrefix("//") {
                    Issue.record(
                        "\(file.path): no reason after “\(line.trimmingCharacters(in: .whitespaces))”")
                }
            }
        }
    }

    @Test func `only GPhoto2 uses driver constants, and only Store contains SQL`() throws {
        let driverConstant = try LinePattern(#"\bGP_[A-Z]+_"#)
        let statement = try LinePattern(#"\b(SELECT|INSERT INTO|UPDATE|DELETE FROM) [a-z]+ "#)
        for file in try SourceFile.all(under: "Sources") {
            if file.module != "GPhoto2" && !file.code(matching: driverConstant).isEmpty {
                Issue.record("\(file.path) uses a GP_ constant")
            }
            if file.module != "Store" && !file.code(matching: statement).isEmpty {
                Issue.record("\(file.path) contains SQL")
            }
        }
    }

    /// A call for the whole tree reads every property of the camera, and photos wait for seconds.
    @Test func `no source reads or writes the driver's whole tree of settings`() throws {
        let wholeTree = try LinePattern(#"\bgp_camera_(get|set)_config\b"#)
        let oneSetting = try LinePattern(#"\bgp_camera_get_single_config\b"#)
        var readers: Set<String> = []
        for file in try SourceFile.all(under: "Sources") {
            for (number, _) in file.code(matching: wholeTree) {
                Issue.record("\(file.path):\(number) uses every setting of the camera: use one setting")
            }
            if !file.code(matching: oneSetting).isEmpty { readers.insert(file.module) }
        }
        #expect(readers == ["GPhoto2"])
    }

    @Test(arguments: Module.unwanted.keys.sorted())
    func `programs load no unwanted library`(program: String) throws {
        let needed = try Self.libraries(of: Programs.path(program).path)
        #expect(needed.contains { $0.hasPrefix("libc.so") })
        for library in Module.unwanted[program] ?? [] {
            #expect(!needed.contains { $0.hasPrefix(library) }, "\(program) loads \(library)")
        }
    }

    @Test func `the worker loads the camera library`() throws {
        let needed = try Self.libraries(of: Programs.path("framefast-camera").path)
        #expect(needed.contains { $0.hasPrefix("libgphoto2.so") })
    }

    /// Returns the direct and indirect libraries that the dynamic linker loads for a program.
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
