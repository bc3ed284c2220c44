import Foundation
import Repository
import SurfaceTestSupport
import Testing

@testable import TerminalUI

/// Tests that compare every component with golden files. `scripts/docs` updates the files.
@Suite struct GalleryTests {
    private static let folder = "Tests/CLI/TerminalUITests/Goldens"

    private static func expect(_ lines: [String], _ name: String) throws {
        let text = lines.joined(separator: "\n") + "\n"
        let golden = try DocumentFile("\(folder)/\(name).txt").text(writing: text)
        #expect(
            golden == text,
            "\(name).txt differs: review the difference, then write the file with scripts/docs")
    }

    /// The golden files mark the role of each text. The golden file `palettes` contains the escape codes of
    /// the roles.
    @Test(arguments: [(40, true), (80, true), (120, true), (80, false)])
    func `every component matches its golden file`(columns: Int, hasUnicode: Bool) throws {
        let layout = Layout(width: columns, hasUnicode: hasUnicode)
        let lines = Gallery.lines(layout)
        for line in lines { #expect(line.width <= columns, "\(line.text)") }
        if !hasUnicode {
            for piece in Gallery.pieces where piece.view.plain().joined().allSatisfy(\.isASCII) {
                let drawn = piece.view.lines(layout).map(\.text).joined()
                #expect(drawn.allSatisfy { $0.isASCII }, "\(piece.component) \(piece.state)")
            }
        }
        try Self.expect(lines.map(\.marked), "components\(hasUnicode ? "" : ".ascii").\(columns)")
    }

    /// The file lists the escape codes of each role in each palette, and the glyphs.
    @Test func `palettes and glyphs match their golden file`() throws {
        var roles = TypeRole.allCases.map(Span.Role.text) + [Span.Role.accent]
        roles += Tone.allCases.map(Span.Role.tone)
        var lines: [String] = []
        for (palette, depth) in [
            (Palette.terminal, ColorDepth.mono), (.terminal, .sixteen), (.dark, .indexed),
            (.dark, .truecolor), (.light, .indexed), (.light, .truecolor),
        ] {
            for contrast in Contrast.allCases {
                lines.append("=== \(palette), \(depth), \(contrast) contrast")
                let style = Style(depth: depth, hasUnicode: true, palette: palette, contrast: contrast)
                for role in roles {
                    let text = style.encode(Line(role.name, role))
                    lines.append(text.replacingOccurrences(of: "\u{1B}", with: "\\e"))
                }
            }
        }
        lines.append("=== signs")
        lines += Glyph.allCases.map { "\($0) \($0.unicode) \($0.ascii)" }
        try Self.expect(lines, "palettes")
    }

    @Test func `every golden file belongs to a test`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Repository.file(Self.folder).path)
        let known =
            ["40", "80", "120", "ascii.80", "plain"].map { "components.\($0).txt" } + ["palettes.txt"]
        #expect(Set(files).subtracting(known) == [], "delete these files")
    }

    @Test func `plain text of every component matches the golden file`() throws {
        try Self.expect(Gallery.plain(), "components.plain")
    }

    @Test func `every component has all states, each with plain text`() {
        let byComponent = Dictionary(grouping: Gallery.pieces, by: \.component)
        for (component, pieces) in byComponent {
            let states = pieces.map(\.state)
            #expect(Set(states).isSuperset(of: Gallery.states), "\(component)")
            #expect(Set(states).count == states.count, "\(component) has two states with the same name")
            for piece in pieces {
                let words = piece.view.plain()
                #expect(!words.isEmpty && words.allSatisfy { !$0.isEmpty }, "\(component) \(piece.state)")
                #expect(
                    words.joined().unicodeScalars.allSatisfy {
                        $0.value >= 0x20 && !(0x2500...0x28FF).contains($0.value)
                    },
                    "\(component) \(piece.state) has control or drawing characters in its plain text")
            }
        }
    }

    /// Longer lines are hard to read.
    @Test(arguments: [
        "GuidanceView", "BannerView", "EmptyView", "ConfirmView", "BusyView", "InputView",
    ])
    func `wraps sentences at 75 cells on wide terminals`(component: String) {
        let long = Array(repeating: "word", count: 60).joined(separator: " ")
        let views: [any Component] =
            switch component {
            case "GuidanceView": [GuidanceView(.warning, long, steps: [long, long])]
            case "BannerView": [BannerView(.warning, "Warning", long, nextStep: long)]
            case "EmptyView": [EmptyView(long, nextStep: long)]
            case "ConfirmView": [ConfirmView(.danger, question: long, consequence: long)]
            case "BusyView": [BusyView(text: long), TextView.wrapped(long)]
            default: [InputView(text: "x", example: "y", errorMessage: long)]
            }
        for view in views {
            let wide = view.lines(Layout(width: 200))
            #expect(wide.count > 3 && wide.allSatisfy { $0.width <= Layout.proseCellsMax }, "\(component)")
            // Without a terminal, lines are not wrapped.
            let whole = view.lines(Layout(width: Layout.unbounded))
            #expect(whole.contains { $0.text.contains(long) }, "\(component)")
        }
    }

    @Test func `aligns the captions of a list despite one long title`() {
        let titles = ["nas", "agency", "a destination with a name that is longer than the others"]
        let cells = RowView.titleCells(of: titles)
        let lines = titles.map { title in
            RowView(
                BadgeView(.success, "Ready"), title: title, caption: "caption", wordCells: 9,
                titleCells: cells
            )
            .lines(Layout(width: 100))[0].text
        }
        let places = lines.map { $0.distance(from: $0.startIndex, to: $0.range(of: "caption")!.lowerBound) }
        #expect(places[0] == places[1] && places[2] > places[0], "\(places)")
    }

    @Test func `colors a destructive key only while it is available`() {
        let hints = KeyHintsView(hints: [
            .init("x", "forget", isDestructive: true), .init("X", "clear", isDestructive: true, isOn: false),
        ]).line(Layout(width: 60))
        #expect(hints.spans.first { $0.text == "x" }?.role == .tone(.danger))
        #expect(hints.spans.first { $0.text.contains("X") }?.role == .caption)
    }

    @Test(arguments: [(80, true), (30, false)])
    func `a sparkline shows its scale if there is space`(width: Int, isScaled: Bool) {
        let line = SparklineView([3, 40, 12], caption: "12 a minute").lines(Layout(width: width))[0].text
        #expect(line.contains("peak 40") == isScaled && line.contains("12 a minute"))
        #expect(
            !SparklineView([0, 0], caption: "0 a minute").lines(Layout(width: 80))[0].text.contains("peak"))
    }

    @Test func `a sparkline's peak sets the full height, even if it is not shown`() throws {
        let values = [40] + Array(repeating: 10, count: SparklineView.pointsMax - 1)
        let full = try #require(Glyph.heights(hasUnicode: true).last)
        func text(_ width: Int) -> String {
            SparklineView(values, caption: "x").lines(Layout(width: width, hasMargins: false))[0].text
        }
        #expect(text(38).contains("peak 40") && !text(38).contains(full))
        #expect(!text(20).contains("peak") && text(20).contains(full))
    }

    @Test(arguments: [(40, true), (30, false)])
    func `omits a section's action before cutting its title`(width: Int, isThere: Bool) {
        let line = SectionView("Attention", count: "2", action: "`framefast doctor`").lines(
            Layout(width: width))[0]
        #expect(line.text.contains("Attention 2") && line.text.contains("→ `framefast doctor`") == isThere)
    }

    @Test func `an input error shows a valid example once`() {
        func lines(_ errorMessage: String) -> String {
            InputView(text: "x", example: "Bangkok Wedding", errorMessage: errorMessage).lines(
                Layout(width: 80)
            )
            .map(\.text).joined(separator: "\n")
        }
        #expect(lines("Too long.").contains("For example: Bangkok Wedding"))
        #expect(!lines("Write it like Bangkok Wedding.").contains("For example"))
    }

    /// The contents of a card are lines, never another card.
    @Test func `no card contains another card`() {
        for piece in Gallery.pieces {
            for line in piece.view.lines(Layout(width: 60)) {
                #expect(!Self.isBoxInBox(line.text), "\(piece.component) \(piece.state): \(line.text)")
            }
        }
        let inner = CardView(title: "inner", rows: [])
        #expect(
            CardView(title: "outer", rows: [inner]).lines(Layout(width: 60)).contains {
                Self.isBoxInBox($0.text)
            })
    }

    /// Whether a line has the edges of more than one box.
    static func isBoxInBox(_ line: String) -> Bool {
        let sides = line.count { "│║".contains($0) }
        let corners = line.count { "╭╮╰╯╔╗╚╝".contains($0) }
        return sides > 2 || corners > 2 || sides > 0 && corners > 0
    }

    /// The file of each component has the component's name.
    @Test func `the gallery contains every component`() throws {
        let folder = Repository.file("Sources/CLI/TerminalUI")
        let files = ["Components", "StatusBar"].flatMap { name in
            (try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(name).path))
                ?? []
        }
        let views = Set(files.filter { $0.hasSuffix("View.swift") }.map { String($0.dropLast(6)) })
        #expect(views.count > 15)
        // StateView is part of the samples of all components.
        #expect(views.subtracting(Gallery.pieces.map(\.component)) == ["StateView"])
    }
}
