/// Exposure of a shot, as its files tell it.
public struct ShotExposure: Hashable, Sendable {
    /// A number as EXIF writes it.
    public struct Fraction: Hashable, Sendable {
        var top: UInt32
        var bottom: UInt32

        init(_ top: UInt32, _ bottom: UInt32) { (self.top, self.bottom) = (top, bottom) }
    }

    var seconds = Fraction(1, 250)
    var fNumber = Fraction(28, 10)
    var iso: UInt16 = 400

    /// The exposure of a camera that has only one.
    public init() {}
}
