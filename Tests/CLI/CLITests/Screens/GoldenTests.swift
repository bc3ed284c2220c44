import Foundation
import FrameFastAPI
import SurfaceTestSupport
import TerminalUI
import Testing

@testable import FrameFastCLI

/// Golden files of the screens. `scripts/docs` updates them.
@Suite struct GoldenTests {
    /// The colours and the characters of a terminal.
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
        // Write escape codes as text, which makes the files readable.
        let text =
            lines.map { $0.replacingOccurrences(of: "\u{1B}", with: "\\e") }
            .joined(separator: "\n") + "\n"
        let golden = try DocumentFile("Tests/CLI/CLITests/Goldens/\(name).txt").text(writing: text)
        #expect(golden == text, "\(name): look at it, then write it with scripts/docs")
    }

    @Test(arguments: Look.allCases, columns)
    func `the camera table matches its golden files`(look: Look, columns: Int) throws {
        let view = CameraTableView(cameras: Scenes.cameras, json: Data(), now: Scenes.now)
        let lines = view.human(look.style(columns))
        try Self.expect(lines, "cameras.\(look.rawValue).\(columns)")
        if look == .none { #expect(lines.allSatisfy { Cells.width($0) <= columns }) }
    }

    @Test(arguments: Look.allCases, columns)
    func `doctor output matches its golden files`(look: Look, columns: Int) throws {
        let lines = DiagnosisView(Scenes.checks, json: Data()).human(look.style(columns))
        try Self.expect(lines, "doctor.\(look.rawValue).\(columns)")
        if look == .none { #expect(lines.allSatisfy { Cells.width($0) <= columns }) }
    }

    @Test(arguments: Look.allCases, columns)
    func `every connect screen matches its golden files`(look: Look, columns: Int) throws {
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

    @Test func `plain text of cameras, doctor and connect matches golden files`() throws {
        try Self.expect(CameraTableView(cameras: Scenes.cameras, json: Data()).plain(), "cameras.plain")
        try Self.expect(DiagnosisView(Scenes.checks, json: Data()).plain(), "doctor.plain")
        let screens = Scenes.connect.flatMap { name, flow in
            ["=== \(name)"] + ConnectScreen(flow: flow, now: Scenes.now).plain()
        }
        try Self.expect(screens, "connect.plain")
    }
}
