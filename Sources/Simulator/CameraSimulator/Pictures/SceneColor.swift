/// A color of a scene: red, green and blue, 0...255 each.
package struct SceneColor: Hashable, Sendable {
    package var red: Double
    package var green: Double
    package var blue: Double

    package init(_ red: Double, _ green: Double, _ blue: Double) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// The brightness and the two color differences of JFIF, each about 0...255.
    var components: [Double] {
        [
            0.299 * red + 0.587 * green + 0.114 * blue,
            128 - 0.168_736 * red - 0.331_264 * green + 0.5 * blue,
            128 + 0.5 * red - 0.418_688 * green - 0.081_312 * blue,
        ]
    }
}
