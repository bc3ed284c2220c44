import Foundation
import Repository
import TestRig
import Testing

@testable import PictureWorker

/// What a page looked like when a person looked at it last, an eighth to a third of its size.
///
/// It tolerates fonts: compared is the mean colour of cells a few letters wide. What moved, is missing or has another colour shows.
/// `FRAMEFAST_WRITE_DOCS=1` writes them anew: look at them before you keep them.
struct ScreenGolden {
    /// Longest side of what is kept, in pixels.
    private static let side = 400
    /// Side of a cell, in pixels of what is kept.
    private static let cell = 10
    /// Largest difference of a cell's mean in one colour, 0...255, that letters make.
    private static let tolerance = 28
    /// Largest share of cells that may differ more.
    static let shareMax = 0.03

    let name: String

    private var file: URL {
        Repository.file("Tests/Programs/EndToEndTests/Web/Goldens/\(name).jpg")
    }

    /// Compares what is seen now.
    ///
    /// - Parameter jpeg: The screen.
    func compare(_ jpeg: Data, _ place: SourceLocation = #_sourceLocation) throws {
        let now = try #require(Picture(jpeg: [UInt8](jpeg), fitting: (Self.side, Self.side)))
        if Repository.writesDocuments {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(#require(now.jpeg())).write(to: file)
        }
        let share = Self.difference(now, try kept())
        #expect(
            share <= Self.shareMax, "\(name): \(Int(share * 100)) % of it looks different",
            sourceLocation: place)
    }

    /// What is kept.
    func kept() throws -> Picture {
        let jpeg = try #require(try? Data(contentsOf: file), "\(name) was never looked at")
        return try #require(Picture(jpeg: [UInt8](jpeg), fitting: (Self.side, Self.side)))
    }

    /// How far a screen is from what is kept: the share of cells that differ.
    func difference(from jpeg: Data) throws -> Double {
        let now = try #require(Picture(jpeg: [UInt8](jpeg), fitting: (Self.side, Self.side)))
        return Self.difference(now, try kept())
    }

    /// The share of cells that differ, 0...1; all of them when the sizes do.
    static func difference(_ one: Picture, _ other: Picture) -> Double {
        guard one.width == other.width, one.height == other.height else { return 1 }
        let (columns, rows) = (one.width / cell, one.height / cell)
        let differing = (0..<columns * rows).count { index in
            let (left, top) = (index % columns * cell, index / columns * cell)
            return zip(mean(one, left, top), mean(other, left, top)).contains { abs($0 - $1) > tolerance }
        }
        return Double(differing) / Double(max(1, columns * rows))
    }

    private static func mean(_ picture: Picture, _ left: Int, _ top: Int) -> [Int] {
        var sums = [0, 0, 0]
        for y in top..<top + cell {
            for x in left..<left + cell {
                let pixel = (y * picture.width + x) * 3
                for colour in 0..<3 { sums[colour] += Int(picture.bytes[pixel + colour]) }
            }
        }
        return sums.map { $0 / (cell * cell) }
    }
}
