import Foundation
import FrameFastAPI
import Repository
import SurfaceTestSupport
import TerminalUI
import Testing

@testable import FrameFastCLI

/// Tests that compare screens with golden files. `scripts/docs` updates the files.
///
/// A file contains the text of its screens at one width, with marks for the roles of the texts, or the
/// plain text of the screens. Other tests cover the style and the palettes.
@Suite struct GoldenTests {
    /// A named screen of a golden file, and a function that returns its lines for a layout.
    typealias Screen = (name: String, lines: (Layout) -> [Line])

    static let columns = [40, 80, 120]
    private static let folder = "Tests/CLI/CLITests/Goldens"

    static func expect(_ lines: [String], _ name: String) throws {
        let text = lines.joined(separator: "\n") + "\n"
        let golden = try DocumentFile("\(folder)/\(name).txt").text(writing: text)
        #expect(
            golden == text,
            "\(name).txt differs: review the difference, then write the file with scripts/docs")
    }

    /// Compares screens with their golden file. The screens must also fit the layout in ASCII.
    static func expect(_ screens: [Screen], _ topic: String, _ layout: Layout) throws {
        var ascii = layout
        ascii.hasUnicode = false
        var all: [String] = []
        for screen in screens {
            let lines = screen.lines(layout)
            for line in (lines + screen.lines(ascii)).map(Style.bare.encode) {
                #expect(Cells.width(line) <= layout.width, "\(topic), \(screen.name): \(line)")
                #expect(line.last != " ", "\(topic), \(screen.name): \(line)")
            }
            all += ["=== \(screen.name)"] + lines.map(\.marked)
        }
        try expect(all, "\(topic).\(layout.width)")
    }

    /// Compares the output of verbs with its golden file.
    static func expect(_ scenes: [SmallScenes.Scene], _ topic: String, columns: Int) throws {
        let screens = scenes.map { scene -> Screen in
            (name: scene.name, lines: { layout in scene.view.lines(layout) })
        }
        try expect(screens, topic, Layout(width: columns, hasMargins: false))
    }

    @Test(arguments: [(40, 24), (80, 24), (120, 40)])
    func `every connect screen matches its golden file`(columns: Int, rows: Int) throws {
        let screens = Scenes.connect.map { name, flow -> Screen in
            let screen = ConnectScreen(flow: flow, now: Scenes.now)
            return (
                name: name,
                lines: { layout in
                    let lines = screen.lines(layout)
                    #expect(lines.count <= rows, "\(name)")
                    #expect(lines.allSatisfy { $0.width <= columns }, "\(name)")
                    return lines
                }
            )
        }
        try Self.expect(screens, "connect", Layout(width: columns, height: rows))
    }

    @Test func `plain text of connect matches its golden file`() throws {
        let screens = Scenes.connect.flatMap { name, flow in
            ["=== \(name)"] + ConnectScreen(flow: flow, now: Scenes.now).plain()
        }
        try Self.expect(screens, "connect.plain")
    }

    @Test(arguments: Palette.allCases, ColorDepth.allCases)
    func `colors do not change the text of a screen`(palette: Palette, depth: ColorDepth) {
        let view = StatusView(status: EverydayScenes.status[0].reply, json: Data(), now: EverydayScenes.now)
        let colored = view.human(Style(depth: depth, hasUnicode: true, palette: palette, columns: 80))
        let plain = view.human(Style(depth: .plain, hasUnicode: true, columns: 80))
        #expect(colored.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") } == plain)
        #expect((colored == plain) == (depth == .plain))
    }

    @Test func `every golden file belongs to a screen`() throws {
        let verbs =
            (EverydayGoldenTests.topics + UploadGoldenTests.topics).map { $0.name } + ["connect"]
        var known = Set(verbs.map { "\($0).plain.txt" })
        for topic in verbs + ["confirm", "watch"] {
            known.formUnion(Self.columns.map { "\(topic).\($0).txt" })
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: Repository.file(Self.folder).path)
        #expect(Set(files).subtracting(known) == [], "delete these files")
    }
}
