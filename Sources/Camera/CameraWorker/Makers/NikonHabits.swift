import FrameFastModel

extension MakerHabits {
    /// Nikon. Photos taken on the body follow the camera's own setting, which the driver leaves alone, and our own
    /// follow the driver's: both are set. A release from here puts the body under our control (ChangeCameraMode);
    /// the photographer gets it back at once.
    static let nikon = MakerHabits(
        target: .inCamera(
            TargetWidget(
                name: "recordingmedia", words: [.card: "Card", .host: "SDRAM"],
                readings: ["Card": .card, "SDRAM": .host])),
        handBack: (name: "controlmode", value: "0"))
}
