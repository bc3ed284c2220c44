import Foundation
import Testing

@testable import TestRig

/// Tests of the comparison of pictures, with drawings of pages.
@Suite struct PictureGridTests {
    /// A rectangle of one color, in CSS pixels.
    private struct Box {
        var x: Int
        var y: Int
        var width: Int
        var height: Int
        var color: UInt32

        init(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ color: UInt32) {
            (self.x, self.y, self.width, self.height, self.color) = (x, y, width, height, color)
        }
    }

    /// The side of a drawing, in cells.
    private static let side = 20
    /// The surfaces of a dark page.
    private static let base: UInt32 = 0x0F1115
    private static let card: UInt32 = 0x171A20
    private static let raised: UInt32 = 0x20242C
    private static let tile = Box(101, 90, 90, 60, 0x808080)
    private static let button = Box(37, 230, 100, 44, raised)
    private static let page = [Box(0, 0, 320, 52, card), tile, button]

    /// Draws boxes on a background, and reduces the drawing to cells.
    private static func draw(
        _ boxes: [Box], on background: UInt32 = PictureGridTests.base
    ) throws -> PictureGrid {
        let (cell, width) = (PictureGrid.cellPixels, side * PictureGrid.cellPixels)
        var pixels = [UInt32](repeating: background, count: width * width)
        for box in boxes {
            for y in box.y..<box.y + box.height {
                for x in box.x..<box.x + box.width { pixels[y * width + x] = box.color }
            }
        }
        var colors: [UInt8] = []
        for index in 0..<side * side {
            let (left, top) = (index % side * cell, index / side * cell)
            for shift: UInt32 in [16, 8, 0] {
                var sum = 0.0
                for y in top..<top + cell {
                    for x in left..<left + cell {
                        sum += pow(Double(pixels[y * width + x] >> shift & 0xFF) / 255, 2.2)
                    }
                }
                colors.append(UInt8((255 * pow(sum / Double(cell * cell), 1 / 2.2)).rounded()))
            }
        }
        return try #require(PictureGrid(columns: side, rows: side, colors: colors))
    }

    /// Compares a drawing with the drawing of the page.
    private static func difference(_ boxes: [Box]) throws -> String? {
        try draw(boxes).difference(from: draw(page))
    }

    @Test func `equal pictures match`() throws {
        #expect(try Self.difference(Self.page) == nil)
    }

    @Test(arguments: [(40, 0), (-40, 0), (0, 40), (60, 60)])
    func `finds a moved tile`(x: Int, y: Int) throws {
        var tile = Self.tile
        (tile.x, tile.y) = (tile.x + x, tile.y + y)
        let difference = try #require(try Self.difference([Self.page[0], tile, Self.button]))
        #expect(difference.contains("cells differ, @"))
    }

    @Test func `finds a missing tile, a missing button and an additional button`() throws {
        #expect(try Self.difference([Self.page[0], Self.button]) != nil)
        #expect(try Self.difference([Self.page[0], Self.tile]) != nil)
        let new = Box(200, 230, 100, 44, Self.raised)
        #expect(try Self.difference(Self.page + [new]) != nil)
    }

    /// The color of a page, and the old and the new color of a button.
    private static let changes: [(base: UInt32, old: UInt32, new: UInt32)] = [
        (0x0F1115, 0x171A20, 0x20242C), (0x0F1115, 0x20242C, 0x171A20), (0xF7F8FA, 0xEEF0F3, 0xFFFFFF),
        (0xF7F8FA, 0xFFFFFF, 0xF7F8FA), (0xFFFFFF, 0x4F46E5, 0x047857),
    ]

    @Test(arguments: changes)
    func `finds a changed color of a button`(base: UInt32, old: UInt32, new: UInt32) throws {
        let drawings = try [old, new].map { color in
            try Self.draw([Box(37, 230, 100, 44, color)], on: base)
        }
        #expect(drawings[1].difference(from: drawings[0]) != nil)
        #expect(drawings[0].difference(from: drawings[1]) != nil)
    }

    @Test func `finds a changed color of the page`() throws {
        let pictures = try [Self.base, 0x171A20].map { try Self.draw([], on: $0) }
        #expect(pictures[1].difference(from: pictures[0]) == "400 of 400 cells differ, @0,0 320x320")
    }

    @Test func `pictures match if another font moves elements by some pixels`() throws {
        let wider = Box(Self.button.x, Self.button.y, 112, 44, Self.raised)
        #expect(try Self.difference([Self.page[0], Self.tile, wider]) == nil)
        for (x, y) in [(10, 0), (-10, 3), (0, 6), (12, -6)] {
            var moved = [Self.tile, Self.button]
            for index in moved.indices {
                moved[index].x += x
                moved[index].y += y
            }
            #expect(try Self.difference([Self.page[0]] + moved) == nil, "\(x), \(y)")
        }
    }

    @Test func `pictures match despite different edge smoothing`() throws {
        // Along some edges, a column or a row of pixels has a color between the two colors.
        let (tile, button) = (Self.tile, Self.button)
        let soft = [
            Box(tile.x - 1, tile.y, 1, tile.height, 0x505050),
            Box(tile.x, tile.y + tile.height, tile.width, 1, 0x303030),
            Box(button.x + button.width, button.y, 1, button.height, 0x181A20),
        ]
        #expect(try Self.difference(Self.page + soft) == nil)
    }

    @Test func `pictures of another size differ`() throws {
        let golden = try #require(PictureGrid(columns: 2, rows: 1, colors: [0, 0, 0, 0, 0, 0]))
        let found = try #require(PictureGrid(columns: 1, rows: 2, colors: golden.colors))
        #expect(found.difference(from: golden) == "1x2 cells instead of 2x1")
        #expect(PictureGrid(columns: 2, rows: 2, colors: golden.colors) == nil)
    }

    @Test func `a stack splits into its pictures`() throws {
        let pictures = try [Self.page, [Self.tile]].map { try Self.draw($0) }
        let stack = try #require(PictureGrid.stack(pictures))
        #expect(stack.split(into: 2) == pictures)
        #expect(stack.split(into: 3) == [] && stack.split(into: 0) == [])
        #expect(PictureGrid.stack([]) == nil)
    }
}
