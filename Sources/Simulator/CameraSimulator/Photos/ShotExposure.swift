/// The exposure of a shot, as written to its files.
struct ShotExposure: Hashable, Sendable {
    /// An EXIF rational number.
    struct Fraction: Hashable, Sendable {
        var numerator: UInt32
        var denominator: UInt32

        init(_ numerator: UInt32, _ denominator: UInt32) {
            (self.numerator, self.denominator) = (numerator, denominator)
        }
    }

    var seconds = Fraction(1, 250)
    var fNumber = Fraction(28, 10)
    var iso: UInt16 = 400
}
