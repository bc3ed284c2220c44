extension Picture {
    /// Returns the upright picture.
    ///
    /// - Parameter orientation: The EXIF orientation, which names the side of the upright picture that the
    ///   first row and the first column of the stored picture show (EXIF 2.32, tag 0x0112).
    func turned(by orientation: Int) -> Picture {
        guard (2...8).contains(orientation) else { return self }
        // Moving right or down by one pixel in the upright picture moves by these numbers of pixels in the
        // stored picture.
        let (last, bottom) = (width - 1, (height - 1) * width)
        let (start, right, down): (Int, Int, Int) =
            switch orientation {
            case 2: (last, -1, width)
            case 3: (bottom + last, -1, -width)
            case 4: (bottom, 1, -width)
            case 5: (0, width, 1)
            case 6: (bottom, -width, 1)
            case 7: (bottom + last, -width, -1)
            default: (last, width, -1)
            }
        let (newWidth, newHeight) = orientation >= 5 ? (height, width) : (width, height)
        var turned = [UInt8](repeating: 0, count: bytes.count)
        bytes.withUnsafeBufferPointer { old in
            turned.withUnsafeMutableBufferPointer { new in
                for y in 0..<newHeight {
                    for x in 0..<newWidth {
                        let from = (start + x * right + y * down) * 3
                        let to = (y * newWidth + x) * 3
                        new[to] = old[from]
                        new[to + 1] = old[from + 1]
                        new[to + 2] = old[from + 2]
                    }
                }
            }
        }
        return Picture(width: newWidth, height: newHeight, bytes: turned)
    }
}
