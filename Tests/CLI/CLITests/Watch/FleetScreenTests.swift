import FrameFastAPI
import TerminalUI
import Testing

@testable import FrameFastCLI

@Suite struct FleetScreenTests {
    @Test(.everyLanguage, arguments: GoldenTests.Look.allCases, [(40, 20), (80, 24), (120, 40)])
    func `every screen of the fleet looks as it was drawn`(look: GoldenTests.Look, size: (Int, Int)) throws {
        let (columns, rows) = size
        let style = look.style(columns)
        var all: [String] = []
        for (name, screen) in FleetScenes.screens {
            let lines = screen.lines(style.layout(height: rows))
            #expect(lines.count == rows, "\(name)")
            for line in lines { #expect(line.width <= columns, "\(name): \(line.text)") }
            all += ["=== \(name)"] + lines.map(style.encode)
        }
        try GoldenTests.expect(all, "fleet-watch.\(look.rawValue).\(columns)")
    }

    @Test func `in plain words everything is one fact a line`() throws {
        try GoldenTests.expect(
            FleetScenes.screens.flatMap { ["=== \($0.name)"] + $0.screen.plain() }, "fleet-watch.plain")
    }
}
