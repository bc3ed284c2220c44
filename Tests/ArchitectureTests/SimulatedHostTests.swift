import Foundation
import Repository
import TestRig
import Testing

/// Tests that installed programs cannot run a simulation, and that the service passes each fault point.
@Suite(.blocking) struct SimulatedHostTests {
    private static let hostPath = "Sources/Linux/FrameFastSystem/Service/SimulatedHost.swift"
    private static let pointsPath = "Sources/Linux/FrameFastSystem/Service/FaultPoint.swift"
    /// The files whose code depends on the kind of build.
    private static let conditionalPaths = [hostPath, "Sources/Linux/SystemIO/DebugSwitches.swift"]
    /// The condition of the optimized build of `scripts/simulate`.
    private static let condition = "FRAMEFAST_SIMULATION"
    /// The file that sets the condition, and the manifest that evaluates the condition.
    private static let settingPaths: Set<String> = ["scripts/simulate", "Package.swift"]

    @Test func `only debug and simulation builds have a simulated host`() throws {
        let conditional = try LinePattern(#"^ *#(if|elseif) .*\b(DEBUG|FRAMEFAST_SIMULATION)\b"#)
        let files = try SourceFile.all(under: "Sources").filter { !$0.code(matching: conditional).isEmpty }
        #expect(files.map(\.path).sorted() == Self.conditionalPaths.sorted())

        let host = try #require(files.first { $0.path == Self.hostPath })
        let lines = host.lines.map { $0.trimmingCharacters(in: .whitespaces) }
        let directives = lines.indices.filter { lines[$0].hasPrefix("#") }
        #expect(
            directives.map { lines[$0] } == ["#if DEBUG || \(Self.condition)", "#else", "#endif"])
        let declarations = lines.indices.filter { lines[$0].contains("static var current") }
        try #require(directives.count == 3 && declarations.count == 2)
        #expect(directives[0] < declarations[0] && declarations[0] < directives[1])
        #expect(lines[declarations[0]].hasPrefix("@TaskLocal "))
        #expect(directives[1] < declarations[1] && declarations[1] < directives[2])
        #expect(lines[declarations[1]].hasSuffix("{ nil }"))
    }

    @Test func `only the simulate script sets the condition of the simulation`() throws {
        let files = FileManager.default
        let paths = try ["scripts", "packaging", "Tools", "Benchmarks", ".ci"].flatMap { folder in
            try files.subpathsOfDirectory(atPath: Repository.file(folder).path).map { "\(folder)/\($0)" }
        }
        #expect(paths.count > 40)
        // Binary files are not UTF-8, and have no condition.
        let found = (paths + ["Package.swift"]).filter { path in
            (try? String(contentsOf: Repository.file(path), encoding: .utf8))?.contains(Self.condition)
                ?? false
        }
        #expect(Set(found) == Self.settingPaths)
        let manifest = try String(contentsOf: Repository.file("Package.swift"), encoding: .utf8)
        let parts = manifest.components(separatedBy: "Context.environment[\"\(Self.condition)\"]")
        try #require(parts.count == 2)
        #expect(parts[1].contains("target.type == .executable && target.name != \"framefast-simulate\""))
    }

    /// Inside a simulation, time and faults are simulated, and blocking calls run in the calling task.
    @Test func `only the simulation sets the simulated host`() throws {
        // Extensions of the type can omit its name.
        let setter = try LinePattern(#"(SimulatedHost\.|Self\.|^|[ (])[$]current\b"#)
        let files = try SourceFile.all(under: "Sources") + SourceFile.all(under: "Tests")
        let setters = files.filter { !$0.code(matching: setter).isEmpty }.map(\.path)
        let others = setters.filter { !$0.hasPrefix("Tests/Rig/Simulation/") }
        #expect(others.isEmpty && !setters.isEmpty)
    }

    @Test func `the service passes each fault point with the same function`() throws {
        let point = try LinePattern(#"^ *case (\w+)$"#)
        let call = try LinePattern(#"\bSimulatedHost\.pass\(\.(\w+)\)"#)
        let other = try LinePattern(#"\bFaultPoint\b|\bdidPass\b|\bSimulatedHost\.pass\b"#)
        let files = try SourceFile.all(under: "Sources")
        let declared = try #require(files.first { $0.path == Self.pointsPath })
        let names = Set(declared.lines.flatMap { point.texts(ofGroup: 1, in: $0) })
        #expect(names.count > 20)
        var passed: Set<String> = []
        for file in files where file.path != Self.hostPath && file.path != Self.pointsPath {
            for (number, line) in file.code(matching: other) {
                let calls = call.texts(ofGroup: 1, in: line)
                #expect(calls.count == 1, "\(file.path):\(number): use SimulatedHost.pass(.nameOfThePoint)")
                passed.formUnion(calls)
            }
        }
        #expect(passed == names)
    }
}
