/// The part of a card that the worker shows to the driver: small folders completely, and a few objects of
/// each large folder.
struct DriverView {
    /// The number of objects that the driver may read in one call, from the measured speed of the camera.
    private(set) var readLimit = CardReading.readLimitMin
    /// The number of objects shown to the driver so that it finds an older photo.
    private var window = CardReading.windowMin
    /// The folders that are too large to show completely, by path.
    private var folders: [String: LargeFolder] = [:]

    /// Updates the limits from a measurement.
    ///
    /// - Parameter answerMs: The time that the camera took to describe one object, in milliseconds.
    mutating func updateLimits(answerMs: Double) {
        readLimit = CardReading.readLimit(answerMs: answerMs)
        window = CardReading.window(answerMs: answerMs)
    }

    /// The folders of which the driver is shown a few objects.
    var largeFolders: some Collection<LargeFolder> { folders.values }

    /// Returns the large folder at a path, or `nil` if the driver may read the folder completely.
    func largeFolder(_ folder: String) -> LargeFolder? { folders[folder] }

    /// Adds a folder that is too large to show completely.
    mutating func add(_ folder: LargeFolder, at path: String) { folders[path] = folder }

    /// Registers the name of an object.
    ///
    /// - Returns: `false` if another object of a large folder already has the name. The driver finds only the
    ///   first one.
    @discardableResult
    mutating func register(_ name: String, _ handle: UInt32, in folder: String) -> Bool {
        folders[folder]?.register(name, handle) ?? true
    }

    /// Finds a photo in a large folder. Returns `nil` if the driver finds it without help.
    ///
    /// - Returns: The handles of the folder and the photo, and the handles to show to the driver.
    func location(of name: String, in folder: String) -> (
        folder: UInt32, handle: UInt32, shown: ArraySlice<UInt32>
    )? {
        guard let large = folders[folder], let handle = large[name] else { return nil }
        return (large.handle, handle, large.window(from: handle, count: window))
    }
}
