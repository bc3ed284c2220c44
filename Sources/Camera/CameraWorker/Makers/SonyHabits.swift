import FrameFastModel

extension MakerHabits {
    /// Sony. In PC Remote photos come over from memory; "card" alone would keep them from us, so what keeps photos on
    /// the card is both. Bodies of 2013 to 2016 have no such setting. In MTP mode nothing is tried: looking for a
    /// shutter there hung an A6100 until its battery was pulled.
    static func sony(_ camera: OpenedCamera) -> MakerHabits {
        guard camera.hasSonyCapture else { return MakerHabits(mayTrigger: false) }
        return MakerHabits(
            target: .inCamera(
                TargetWidget(
                    // By its number (StillImageStoreDestination): under its name, `capturetarget`, libgphoto2 2.5.30
                    // sends the property without a value, because its table has no data type there (config.c).
                    name: "d222", words: [.card: "17", .cardAndHost: "17", .host: "1"],
                    readings: ["16": .card, "17": .cardAndHost, "1": .host])),
            priority: Priority(
                name: "prioritymode", body: "Camera", host: "Application", forRelease: .whenRefused),
            canList: false,
            slowStarters: [
                "ZV-E10", "ZV-1", "DSC-RX100M7", "ILCE-7RM4", "ILCE-7RM4A", "DSC-RX0M2", "ILCE-7C",
            ])
    }
}
