extension MakerHabits {
    /// Canon EOS. The driver sets the target before the first photo, keeps the camera awake while it is asked for
    /// events, and leaves "memory card" behind when the session ends, as an EOS has it when it is switched on
    /// (camera_prepare_canon_eos_capture, camera_unprepare_canon_eos_capture). Bodies that are opened often turn busy:
    /// one long session, and never a new one without need. The driver discards what the camera has announced when it
    /// releases the shutter, and while it focuses (camera_trigger_canon_eos_capture).
    static let canon = MakerHabits(target: .inDriver(widget: nil), losesEventsAtRelease: true)
}
