extension Picture {
    /// Returns the upright picture.
    ///
    /// - Parameter orientation: The EXIF orientation (EXIF 2.32, tag 0x0112). For example, 6 means that the
    ///   first stored row is the right side of the upright picture, and the first stored column is its top.
    func turned(by orientation: Int) -> Picture {
        guard (2...8).contains(orientation) else { return self }
        // `start` is the index of the upper left pixel of the upright picture in `bytes`. One pixel to the
        // right or down in the upright picture changes this index by `right` or `down`.
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
