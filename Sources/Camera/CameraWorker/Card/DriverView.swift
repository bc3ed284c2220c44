/// The part of a card that the worker shows to the driver: small folders completely, and a few objects of
/// each large folder.
struct DriverView {
    /// The number of objects that the driver may read in one call, based on the camera's response time.
    private(set) var readLimit = CardReading.readLimitMin
    /// The number of objects that the worker shows to the driver when the driver has to find an older photo.
    private var window = CardReading.windowMin
    /// The folders that are too large to show completely, by path.
    private var folders: [String: LargeFolder] = [:]

    /// Updates the limits based on a measurement.
    ///
    /// - Parameter responseMs: The time that the camera took to describe one object, in milliseconds.
    mutating func updateLimits(responseMs: Double) {
        readLimit = CardReading.readLimit(responseMs: responseMs)
        window = CardReading.window(responseMs: responseMs)
    }

    /// The folders that the driver sees only in part.
    var largeFolders: some Collection<LargeFolder> { folders.values }

    /// Returns the large folder at a path, or `nil` if the driver may read the folder completely.
    func largeFolder(_ folder: String) -> LargeFolder? { folders[folder] }

    /// Adds a folder that is too large to show completely.
    mutating func add(_ folder: LargeFolder, at path: String) { folders[path] = folder }

    /// Registers the name of an object.
    ///
    /// - Returns: `false` if another object in a large folder already has this name. The driver finds only
    ///   the first of the two objects.
    @discardableResult
    mutating func register(_ name: String, _ handle: UInt32, in folder: String) -> Bool {
        folders[folder]?.register(name, handle) ?? true
    }

    /// Returns the location of a photo in a large folder, or `nil` if the driver can find the photo without
    /// help.
    ///
    /// - Returns: The handles of the folder and the photo, and the handles to show to the driver.
    func location(of name: String, in folder: String) -> (
        folder: UInt32, handle: UInt32, shown: ArraySlice<UInt32>
    )? {
        guard let large = folders[folder], let handle = large[name] else { return nil }
        return (large.handle, handle, large.window(from: handle, count: window))
    }
}
