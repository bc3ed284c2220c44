import TestRig
import Testing

/// Tests of the dependencies between the files of a module.
@Suite(.blocking) struct FileCycleTests {
    /// The layers whose modules have no cycles of files.
    private static let layers = ["CLI", "Camera", "Capture", "Model", "Simulator"]

    @Test func `files of a module have no cyclic dependency`() throws {
        for layer in Self.layers {
            let files = try SourceFile.all(under: "Sources/\(layer)")
            #expect(files.count > 20)
            for (module, sources) in Dictionary(grouping: files, by: \.module) {
                let graph = FileGraph(sources.map { (name: $0.name, text: $0.text) })
                for cycle in graph.cycles {
                    Issue.record("\(module) has a cycle:\n\(graph.description(of: cycle))")
                }
            }
        }
    }

    @Test func `finds cycles by types and functions that files use`() {
        #expect(
            Self.cycles([
                "Engine.swift": "struct Engine { struct Part {}\n var intake: Intake }",
                "Intake.swift": "struct Intake { var part: Engine.Part }",
            ]) == [[0, 1]])
        #expect(
            Self.cycles([
                "First.swift": "func first() { second() }", "Second.swift": "func second() { first() }",
            ]) == [[0, 1]])
        #expect(
            Self.cycles([
                "First.swift": "struct First { let text = \"\\(Second.name)\" }",
                "Second.swift": "struct Second { static let name = \"\"\n var first: First? }",
            ]) == [[0, 1]])
    }

    @Test func `counts an extension as a part of its type's file`() {
        #expect(
            Self.cycles([
                "Engine.swift": "struct Engine {}",
                "Engine+Run.swift": "extension Engine { func run(_ intake: Intake) {} }",
                "Intake.swift": "struct Intake { var engine: Engine? }",
            ]) == [[0, 2]])
        #expect(
            Self.cycles([
                "Engine.swift": "struct Engine { var intake: Intake }",
                "Engine+Part.swift": "extension Engine { struct Part {} }",
                "Intake.swift": "struct Intake { var part: Engine.Part }",
            ]) == [])
    }

    @Test func `ignores private types, and names in comments and strings`() {
        #expect(
            Self.cycles([
                "First.swift": "struct First { var second: Second }",
                "Second.swift": """
                /* First /* nested */ First */
                struct Second { let text = "First \\(1) \\" First" } // First
                """,
            ]) == [])
        #expect(
            Self.cycles([
                "First.swift": "struct First { var second: Second }\nenum State {}",
                "Second.swift": "struct Second { private enum State {}\n private var state: State }",
            ]) == [])
    }

    private static func cycles(_ sources: KeyValuePairs<String, String>) -> [[Int]] {
        FileGraph(sources.map { (name: $0.key, text: $0.value) }).cycles
    }
}
