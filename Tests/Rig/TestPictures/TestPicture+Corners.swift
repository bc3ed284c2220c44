import CameraSimulator

extension TestPicture {
    /// A corner of the upright scene. Each corner has a patch of a different color, with a quarter of the
    /// picture's width and height.
    public enum Corner: String, Sendable, CaseIterable {
        /// Saturated red.
        case topLeft
        /// White.
        case topRight
        /// Black.
        case bottomLeft
        /// Blue.
        case bottomRight

        /// The red, green and blue values in sRGB, 0...255 each.
        public var color: [Int] {
            let color =
                switch self {
                case .topLeft: PictureScene.topLeft
                case .topRight: PictureScene.topRight
                case .bottomLeft: PictureScene.bottomLeft
                case .bottomRight: PictureScene.bottomRight
                }
            return [Int(color.red), Int(color.green), Int(color.blue)]
        }

        fileprivate init(isLeft: Bool, isTop: Bool) {
            self = isTop ? (isLeft ? .topLeft : .topRight) : (isLeft ? .bottomLeft : .bottomRight)
        }
    }

    /// Compares the corners of a decoded picture with the scene.
    ///
    /// - Parameters:
    ///   - rgb: Three bytes for each pixel, row by row, in sRGB.
    ///   - width: The width of the decoded picture, in pixels.
    ///   - height: The height of the decoded picture, in pixels.
    ///   - orientation: The EXIF orientation in which the decoded picture is stored, or 1 for an upright
    ///     picture.
    ///   - tolerance: The largest difference of a value.
    /// - Returns: A description of each corner that has a wrong color, and nothing for a correct picture.
    public static func wrongCorners(
        in rgb: [UInt8], width: Int, height: Int, orientation: Int = 1, tolerance: Int = 6
    ) -> [String] {
        guard rgb.count == width * height * 3, width > 0, height > 0 else {
            return ["\(rgb.count) bytes are not a picture of \(width) × \(height) pixels"]
        }
        var wrong: [String] = []
        for y in [0.125, 0.875] {
            for x in [0.125, 0.875] {
                let place = PictureScene.upright(x, y, orientation: UInt16(orientation))
                let corner = Corner(isLeft: place.u < 0.5, isTop: place.v < 0.5)
                let start = (Int(y * Double(height)) * width + Int(x * Double(width))) * 3
                let found = rgb[start..<start + 3].map { Int($0) }
                let isNear = zip(found, corner.color).allSatisfy { abs($0 - $1) <= tolerance }
                if !isNear { wrong.append("\(corner) is \(found) instead of \(corner.color)") }
            }
        }
        return wrong
    }
}
