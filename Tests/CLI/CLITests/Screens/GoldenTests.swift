import Foundation
import FrameFastAPI
import Repository
import SurfaceTestSupport
import TerminalUI
import Testing

@testable import FrameFastCLI

/// Pictures of the screens as text files: `FRAMEFAST_WRITE_DOCS=1 swift test --filter CLITests` writes them anew.
@Suite struct GoldenTests {
    /// What the terminal can do.
    enum Look: String, CaseIterable, Sendable {
        case dark, light
        case none = "no-colour"
        case ascii

        func style(_ columns: Int) -> Style {
            switch self {
            case .dark: Style(depth: .indexed, hasUnicode: true, palette: .dark, columns: columns)
            case .light: Style(depth: .indexed, hasUnicode: true, palette: .light, columns: columns)
            case .none: Style(depth: .plain, hasUnicode: true, columns: columns)
            case .ascii: Style(depth: .plain, hasUnicode: false, columns: columns)
            }
        }
    }

    static let columns = [40, 80, 120]

    static func expect(_ lines: [String], _ name: String) throws {
        // In other languages as text without looks; what programs read is in English.
        if let language = EveryLanguage.current {
            guard name.contains(".no-colour.") else { return }
            return try expect(lines, name, in: language)
        }
        try compare(lines, name)
    }

    private static func expect(_ lines: [String], _ name: String, in language: EveryLanguage.Language) throws
    {
        switch language {
        case .pseudo:
            for fault in PseudoLanguage.faults(lines, data: try sceneWords.get()) {
                Issue.record("\(name): \(fault)")
            }
        case .translated(let language):
            if name.hasSuffix(".80") { try compare(lines, "\(language)/\(name)") }
        }
    }

    /// Words of the scenes: names, and what the service says.
    private static let sceneWords = Result {
        try Set(
            ["Tests/CLI/CLITests", "Tests/Rig/SurfaceTestSupport"].flatMap { folder in
                let files = try FileManager.default.subpathsOfDirectory(atPath: Repository.file(folder).path)
                return try files.filter { $0.hasSuffix(".swift") }.flatMap { file in
                    let source = try String(contentsOf: Repository.file("\(folder)/\(file)"), encoding: .utf8)
                    return SwiftLiterals(source).all.flatMap { PseudoLanguage.words($0.words) }
                }
            })
    }

    private static func compare(_ lines: [String], _ name: String) throws {
        // Escape codes as text, so that the files can be read and compared.
        let text =
            lines.map { $0.replacingOccurrences(of: "\u{1B}", with: "\\e") }
            .joined(separator: "\n") + "\n"
        let golden = try DocumentFile("Tests/CLI/CLITests/Goldens/\(name).txt").text(writing: text)
        #expect(golden == text, "\(name): look at it, then write it with FRAMEFAST_WRITE_DOCS=1")
    }

    @Test(.everyLanguage, arguments: Look.allCases, columns)
    func `cameras look as they were drawn`(look: Look, columns: Int) throws {
        let view = CameraTableView(cameras: Scenes.cameras, json: Data(), now: Scenes.now)
        let lines = view.human(look.style(columns))
        try Self.expect(lines, "cameras.\(look.rawValue).\(columns)")
        if look == .none { #expect(lines.allSatisfy { Cells.width($0) <= columns }) }
    }

    @Test(.everyLanguage, arguments: Look.allCases, columns)
    func `doctor looks as it was drawn`(look: Look, columns: Int) throws {
        let lines = DiagnosisView(Scenes.checks, json: Data()).human(look.style(columns))
        try Self.expect(lines, "doctor.\(look.rawValue).\(columns)")
        if look == .none { #expect(lines.allSatisfy { Cells.width($0) <= columns }) }
    }

    @Test(.everyLanguage, arguments: Look.allCases, columns)
    func `every screen of connect looks as it was drawn`(look: Look, columns: Int) throws {
        let style = look.style(columns)
        let rows = columns == 120 ? 40 : 24
        var all: [String] = []
        for (name, flow) in Scenes.connect {
            let screen = ConnectScreen(flow: flow, now: Scenes.now)
            let lines = screen.lines(style.layout(height: rows))
            #expect(lines.count <= rows, "\(name)")
            #expect(lines.allSatisfy { $0.width <= columns }, "\(name)")
            all += ["=== \(name)"] + lines.map(style.encode)
        }
        try Self.expect(all, "connect.\(look.rawValue).\(columns)")
    }

    @Test func `in plain words everything is one fact a line`() throws {
        try Self.expect(CameraTableView(cameras: Scenes.cameras, json: Data()).plain(), "cameras.plain")
        try Self.expect(DiagnosisView(Scenes.checks, json: Data()).plain(), "doctor.plain")
        let screens = Scenes.connect.flatMap { name, flow in
            ["=== \(name)"] + ConnectScreen(flow: flow, now: Scenes.now).plain()
        }
        try Self.expect(screens, "connect.plain")
    }
}
