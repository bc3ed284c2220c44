/// The scene in front of a simulated camera: a gradient in a color that depends on the shot's number, this
/// number in a color close to white, and a colored patch in each corner.
///
/// The four corners have different colors, which show the orientation of the picture. Places in the scene are
/// fractions of the upright picture's width and height, from its top left corner. Each size of the picture
/// therefore shows the same scene.
package struct PictureScene: Sendable {
    /// The patch in the top left corner: a saturated red.
    package static let topLeft = SceneColor(230, 30, 30)
    /// The patch in the top right corner: white, the brightest color.
    package static let topRight = SceneColor(255, 255, 255)
    /// The patch in the bottom left corner: black.
    package static let bottomLeft = SceneColor(0, 0, 0)
    /// The patch in the bottom right corner: blue.
    package static let bottomRight = SceneColor(30, 60, 220)
    /// The width and height of a patch, as a fraction of the picture.
    package static let patchSize = 0.25
    /// The color of the digits.
    package static let ink = SceneColor(245, 245, 245)

    private let orientation: UInt16
    private let isAdobeRGB: Bool
    private let digits: [Int]
    /// The width of a dot of the digits, as a fraction of the upright picture's width.
    private let dotWidth: Double
    /// The height of a dot of the digits, as a fraction of the upright picture's height.
    private let dotHeight: Double
    private let left: Double
    private let top: Double
    private let tint: SceneColor

    /// Creates the scene of a shot.
    ///
    /// - Parameters:
    ///   - number: The number of the shot.
    ///   - width: The width of the stored picture, in pixels.
    ///   - height: The height of the stored picture, in pixels.
    ///   - orientation: The EXIF orientation of the stored picture, 1...8.
    ///   - isAdobeRGB: Whether the colors have Adobe RGB values instead of sRGB values.
    init(number: Int, width: Int, height: Int, orientation: UInt16, isAdobeRGB: Bool) {
        self.orientation = orientation
        self.isAdobeRGB = isAdobeRGB
        digits = String(number).compactMap(\.wholeNumberValue)
        let isTurned = orientation > 4
        let (uprightWidth, uprightHeight) =
            isTurned ? (Double(height), Double(width)) : (Double(width), Double(height))
        let columns = Double(digits.count * (DigitFont.columns + 1) - 1)
        // The digits fill at most a third of the height and nine tenths of the width.
        let dot = min(uprightHeight / 15, uprightWidth * 0.9 / columns)
        dotWidth = dot / uprightWidth
        dotHeight = dot / uprightHeight
        left = (1 - columns * dotWidth) / 2
        top = (1 - Double(DigitFont.rows) * dotHeight) / 2
        tint = Self.tint(of: number)
    }

    /// Converts a position in the stored picture to a position in the upright picture. Both are fractions of
    /// width and height.
    func upright(_ x: Double, _ y: Double) -> (u: Double, v: Double) {
        Self.upright(x, y, orientation: orientation)
    }

    /// Converts a position in a picture with an EXIF orientation to a position in the upright picture. Both
    /// are fractions of width and height.
    package static func upright(_ x: Double, _ y: Double, orientation: UInt16) -> (u: Double, v: Double) {
        // EXIF 2.32, tag 0x0112: the sides of the upright picture at which row 0 and column 0 are.
        switch orientation {
        case 2: (1 - x, y)
        case 3: (1 - x, 1 - y)
        case 4: (x, 1 - y)
        case 5: (y, x)
        case 6: (1 - y, x)
        case 7: (1 - y, 1 - x)
        case 8: (y, 1 - x)
        default: (x, y)
        }
    }

    /// The part of the scene at a place.
    enum Region: Hashable {
        case gradient
        case topLeft
        case topRight
        case bottomLeft
        case bottomRight
        case ink
    }

    /// Returns the part of the scene at an upright place.
    func region(_ u: Double, _ v: Double) -> Region {
        let (isLeft, isRight) = (u < Self.patchSize, u >= 1 - Self.patchSize)
        if v < Self.patchSize {
            if isLeft { return .topLeft }
            if isRight { return .topRight }
        } else if v >= 1 - Self.patchSize {
            if isLeft { return .bottomLeft }
            if isRight { return .bottomRight }
        }
        let (column, row) = (Int(((u - left) / dotWidth).rounded(.down)), ((v - top) / dotHeight))
        guard row >= 0, row < Double(DigitFont.rows), column >= 0 else { return .gradient }
        let (place, dot) = column.quotientAndRemainder(dividingBy: DigitFont.columns + 1)
        guard place < digits.count, dot < DigitFont.columns,
            DigitFont.hasDot(digits[place], column: dot, row: Int(row))
        else { return .gradient }
        return .ink
    }

    /// Returns whether a rectangle of the upright picture contains only the gradient. Returns `false` if the
    /// rectangle is close to a patch or to the digits.
    func isOnlyGradient(_ u: ClosedRange<Double>, _ v: ClosedRange<Double>) -> Bool {
        let reachesSide = u.lowerBound < Self.patchSize || u.upperBound >= 1 - Self.patchSize
        let reachesEnd = v.lowerBound < Self.patchSize || v.upperBound >= 1 - Self.patchSize
        if reachesSide && reachesEnd { return false }
        return u.upperBound < left || u.lowerBound > 1 - left || v.upperBound < top || v.lowerBound > 1 - top
    }

    /// Returns the color of a part of the scene, in the color space of the picture.
    ///
    /// - Parameter u: The place in the gradient, as a fraction of the upright picture's width.
    func color(of region: Region, _ u: Double) -> SceneColor {
        let color: SceneColor
        switch region {
        case .gradient:
            let light = 60 + 160 * u
            color = SceneColor(light * tint.red, light * tint.green, light * tint.blue)
        case .topLeft: color = Self.topLeft
        case .topRight: color = Self.topRight
        case .bottomLeft: color = Self.bottomLeft
        case .bottomRight: color = Self.bottomRight
        case .ink: color = Self.ink
        }
        return isAdobeRGB ? AdobeRGB.values(of: color) : color
    }

    /// Returns the color at a place of the stored picture.
    func color(_ x: Double, _ y: Double) -> SceneColor {
        let (u, v) = upright(x, y)
        return color(of: region(u, v), u)
    }

    /// Returns the factors of a shot's color, 0.55...1 each. The hues of consecutive shots differ.
    private static func tint(of number: Int) -> SceneColor {
        let hue = Double(number &* 37 % 360) / 60
        func part(_ shift: Double) -> Double {
            let place = (hue + shift).truncatingRemainder(dividingBy: 6)
            return 0.55 + 0.45 * min(max(abs(place - 3) - 1, 0), 1)
        }
        return SceneColor(part(0), part(4), part(2))
    }
}
