import Glibc

/// The forward cosine transform of JPEG (ITU T.81, A.3.3).
enum CosineTransform {
    /// The index of each coefficient in a block, in the zigzag order of a JPEG's scan, from the top left.
    static let zigzag: [Int] = (0..<15).flatMap { diagonal -> [Int] in
        let rows = max(0, diagonal - 7)...min(diagonal, 7)
        let places = rows.map { row in row * 8 + diagonal - row }
        // Even diagonals go up, odd diagonals go down.
        return diagonal.isMultiple(of: 2) ? places.reversed() : places
    }

    /// Returns the coefficients of a block of 64 samples, row by row.
    static func coefficients(of samples: [Double]) -> [Double] {
        var lines = [Double](repeating: 0, count: 64)
        for row in 0..<8 {
            for frequency in 0..<8 {
                var sum = 0.0
                for column in 0..<8 { sum += samples[row * 8 + column] * basis[frequency * 8 + column] }
                lines[row * 8 + frequency] = sum
            }
        }
        var result = [Double](repeating: 0, count: 64)
        for column in 0..<8 {
            for frequency in 0..<8 {
                var sum = 0.0
                for row in 0..<8 { sum += lines[row * 8 + column] * basis[frequency * 8 + row] }
                result[frequency * 8 + column] = sum
            }
        }
        return result
    }

    /// The value of each frequency at each place, with the factors of the transform.
    private static let basis: [Double] = (0..<64).map { index in
        let (frequency, place) = (index / 8, index % 8)
        let factor = frequency == 0 ? 0.5 / 2.0.squareRoot() : 0.5
        return factor * cos(Double((2 * place + 1) * frequency) * .pi / 16)
    }
}
