import Testing

@testable import TerminalUI

@Suite struct TableTests {
    private static let table = TableView(
        columns: [
            .init(heading: "State"), .init(heading: "Photo"), .init(heading: "Size", isFigure: true),
            .init(heading: "To", cellsMin: 8), .init(heading: "Number", lead: "number", dropOrder: 1),
            .init(heading: "Folder", dropOrder: 2), .init(heading: "Nobody fills this"),
        ],
        rows: [
            .init(
                .success,
                [
                    "Delivered", "20251121-140205-ceremony-0001.NEF", "8.1 MB", "studio-nas-in-the-cellar",
                    "12",
                    "/srv/photos/2025", "",
                ]),
            .init(.neutral, ["Held", "写真.JPG", "31.0 MB", "agency", "7", "/srv/photos", ""]),
        ])

    private static func text(_ width: Int) -> [String] {
        table.lines(Layout(width: width, hasMargins: false)).map(\.text)
    }

    @Test(arguments: [
        // In order: everything; the name cut to 24 cells; no folder; the name cut again; no number;
        // everything cut to the minimum.
        (107, "20251121-140205-ceremony-0001.NEF", true, true), (98, "20251121-140…ny-0001.NEF", true, true),
        (97, "20251121-140205-ceremony-0001.NEF", false, true), (80, "20251121-140…ny-0001.NEF", false, true),
        (79, "20251121-140205-ceremony-0001.NEF", false, false), (54, "20251121-1…y-0001.NEF", false, false),
    ])
    func `cuts long names to 24 cells before omitting each column`(
        width: Int, name: String, hasFolder: Bool, hasNumber: Bool
    ) {
        let lines = Self.text(width)
        #expect(lines.count == 3)
        #expect(lines[1].contains(name), "\(lines[1])")
        #expect(lines[0].contains("Folder") == hasFolder && lines[0].contains("Number") == hasNumber)
        #expect(!lines[0].contains("Nobody"))
        #expect(lines.allSatisfy { Cells.width($0) <= width })
    }

    @Test func `stacks each row in two lines on narrow terminals`() {
        #expect(
            Self.text(40) == [
                "✓ Delivered  20251121-1402…mony-0001.NEF", "  8.1 MB · studio-nas-in-the-cellar",
                "○ Held  写真.JPG", "  31.0 MB · agency · number 7",
            ])
    }

    @Test(arguments: 12...160)
    func `a table fits every terminal width`(width: Int) {
        for line in Self.text(width) { #expect(Cells.width(line) <= width, "\(line)") }
    }

    @Test func `cuts nothing without a terminal`() {
        let lines = Self.table.lines(Layout(width: Layout.unbounded, hasMargins: false)).map(\.text)
        #expect(lines[1].hasSuffix("studio-nas-in-the-cellar  12      /srv/photos/2025"))
    }
}
