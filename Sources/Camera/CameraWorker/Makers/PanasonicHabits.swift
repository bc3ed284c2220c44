extension MakerHabits {
    /// Panasonic. The driver's setting reaches the camera when it is written; what the camera had before cannot be
    /// read, so it keeps what was wanted here.
    static let panasonic = MakerHabits(target: .inDriver(widget: "capturetarget"))
}
