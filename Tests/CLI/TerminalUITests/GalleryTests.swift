import Foundation
import Repository
import SurfaceTestSupport
import Testing

@testable import TerminalUI

/// Pictures of every component: `FRAMEFAST_WRITE_DOCS=1 swift test --filter GalleryTests` writes them anew.
@Suite struct GalleryTests {
    enum Look: String, CaseIterable, Sendable {
        case dark = "truecolour-dark"
        case light = "truecolour-light"
        case sixteen = "16"
        case mono = "mono-ascii"

        func style(_ columns: Int) -> Style {
            switch self {
            case .dark: Style(depth: .truecolour, hasUnicode: true, palette: .dark, columns: columns)
            case .light: Style(depth: .truecolour, hasUnicode: true, palette: .light, columns: columns)
            case .sixteen: Style(depth: .sixteen, hasUnicode: true, columns: columns)
            case .mono: Style(depth: .mono, hasUnicode: false, columns: columns)
            }
        }
    }

    @Test(arguments: Look.allCases, [40, 80, 120])
    func `every component looks as it was drawn`(look: Look, columns: Int) throws {
        let style = look.style(columns)
        let lines = Gallery.lines(style.layout())
        for line in lines { #expect(line.width <= columns, "\(line.text)") }
        // Escape codes as text, so that the files can be read and compared.
        let text =
            lines.map { style.encode($0).replacingOccurrences(of: "\u{1B}", with: "\\e") }
            .joined(separator: "\n") + "\n"
        if look == .mono {
            let own = Gallery.pieces.filter { $0.view.plain().joined().allSatisfy(\.isASCII) }
            for piece in own {
                let drawn = piece.view.lines(style.layout()).map(\.text).joined()
                let isASCII = drawn.allSatisfy(\.isASCII)
                #expect(isASCII, "\(piece.component) \(piece.state)")
            }
        }
        let name = "components.\(look.rawValue).\(columns)"
        let golden = try DocumentFile("Tests/CLI/TerminalUITests/Goldens/\(name).txt").text(writing: text)
        #expect(golden == text, "\(name): look at it, then write it with FRAMEFAST_WRITE_DOCS=1")
    }

    @Test func `in plain words every component is one fact a line`() throws {
        let text = Gallery.plain().joined(separator: "\n") + "\n"
        let golden = try DocumentFile("Tests/CLI/TerminalUITests/Goldens/components.plain.txt").text(
            writing: text)
        #expect(golden == text)
    }

    @Test func `every component is drawn in every state, and each state has words`() {
        let byComponent = Dictionary(grouping: Gallery.pieces, by: \.component)
        for (component, pieces) in byComponent {
            let states = pieces.map(\.state)
            #expect(Set(states).isSuperset(of: Gallery.states), "\(component)")
            #expect(Set(states).count == states.count, "\(component) has two states of one name")
            for piece in pieces {
                let words = piece.view.plain()
                #expect(!words.isEmpty && words.allSatisfy { !$0.isEmpty }, "\(component) \(piece.state)")
                #expect(
                    words.joined().unicodeScalars.allSatisfy {
                        $0.value >= 0x20 && !(0x2500...0x28FF).contains($0.value)
                    },
                    "\(component) \(piece.state) draws in plain words")
            }
        }
    }

    /// All files of components are named for them.
    @Test func `no component is missing`() throws {
        let folder = Repository.file("Sources/CLI/TerminalUI")
        let files = ["Components", "StatusBar"].flatMap { name in
            (try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(name).path))
                ?? []
        }
        let views = Set(files.filter { $0.hasSuffix("View.swift") }.map { String($0.dropLast(6)) })
        #expect(views.count > 15)
        // StateView is what all the states are made with.
        #expect(views.subtracting(Gallery.pieces.map(\.component)) == ["StateView"])
    }
}
