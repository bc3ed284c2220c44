import Foundation
import Repository
import TestRig

extension PageGallery {
    /// The cells of a picture, as `picture.js` returns them. The colors are in base64.
    private struct Cells: Decodable {
        var columns: Int
        var rows: Int
        var colors: Data
    }

    /// Returns a script of the gallery.
    private static func script(_ name: String) throws -> String {
        try String(contentsOf: Repository.file(folder).appending(path: name), encoding: .utf8)
    }

    /// Sets light or dark colors, and ends all motion.
    func setScheme(_ scheme: String) throws {
        try browser.setMedia(["prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"])
    }

    /// Makes all glyphs of the current sample transparent, because fonts differ between computers. The
    /// elements keep their places.
    func hideGlyphs() throws {
        try browser.run(
            """
            const style = document.createElement("style");
            style.textContent = "* { -webkit-text-fill-color: transparent !important; caret-color: transparent !important }";
            document.head.append(style);
            """)
    }

    /// Returns a picture of the window.
    func picture(_ size: Browser.Size) throws -> PictureGrid {
        let cell = PictureGrid.cellPixels
        return try cells(of: browser.screenshot(), columns: size.width / cell, rows: size.height / cell)
    }

    /// Returns the picture of a golden file.
    func picture(ofFile png: Data) throws -> PictureGrid { try cells(of: png, columns: 0, rows: 0) }

    /// Reduces a PNG to cells. If `columns` and `rows` are 0, each pixel is a cell.
    private func cells(of png: Data, columns: Int, rows: Int) throws -> PictureGrid {
        let cells = try browser.script(
            Self.script("picture.js"), [png.base64EncodedString(), columns, rows], as: Cells.self)
        let grid = PictureGrid(columns: cells.columns, rows: cells.rows, colors: Array(cells.colors))
        guard let grid else { throw WaitTimeout(description: "the picture has a wrong number of colors") }
        return grid
    }

    /// Returns the content of a golden file.
    func png(of picture: PictureGrid) throws -> Data {
        let text = try browser.script(
            Self.script("png.js"),
            [picture.columns, picture.rows, Data(picture.colors).base64EncodedString()], as: String.self)
        guard let png = Data(base64Encoded: text) else {
            throw WaitTimeout(description: "the golden file is not valid base64")
        }
        return png
    }
}
