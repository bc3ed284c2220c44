extension MakerHabits {
    /// Fujifilm. The driver takes the command when it opens the camera, and the body looks frozen: it is given back,
    /// and taken only for a release from here. In tether shooting photos lie in a memory of about 1 GB until they are
    /// deleted; when it is full the body stops (an X-T5 at its 13th photo). A body set to card reader shows its card
    /// and no shutter: nothing may be deleted there.
    static func fujifilm(_ camera: OpenedCamera) -> MakerHabits {
        MakerHabits(
            priority: Priority(name: "prioritymode", body: "Camera", host: "USB", forRelease: .always),
            memoryBytes: camera.hasGenericCapture && camera.hasOnlyBuiltInMemory ? 1_000_000_000 : nil)
    }
}
