/// What the driver is shown of a card: all of a folder that it reads in a moment, a few objects of any other.
struct DriverView {
    /// Objects that the driver may read in one go, as fast as the camera answers.
    private(set) var atOnce = CardReading.atOnceMin
    /// Objects that it is shown to find an older photo.
    private var window = CardReading.windowMin
    /// Folders that are too large to be shown at once, by their path.
    private var folders: [String: LargeFolder] = [:]

    /// How fast the camera tells of an object was measured.
    mutating func measured(answerMs: Double) {
        atOnce = CardReading.atOnce(answerMs: answerMs)
        window = CardReading.window(answerMs: answerMs)
    }

    /// Folders of which the driver is shown a few objects.
    var large: some Collection<LargeFolder> { folders.values }

    /// A folder of which the driver is shown a few objects; `nil` for one that it may read.
    func large(_ folder: String) -> LargeFolder? { folders[folder] }

    /// A folder is too large.
    mutating func add(_ folder: LargeFolder, at path: String) { folders[path] = folder }

    /// An object has this name.
    ///
    /// - Returns: false when another one of a large folder has it already: the driver finds the first.
    @discardableResult
    mutating func learn(_ name: String, _ handle: UInt32, in folder: String) -> Bool {
        folders[folder]?.learn(name, handle) ?? true
    }

    /// Where a photo is in a large folder; `nil` when the driver needs no help to find it.
    ///
    /// - Returns: its handle, and what is to be shown so that the driver finds it.
    func place(of name: String, in folder: String) -> (
        folder: UInt32, handle: UInt32, shown: ArraySlice<UInt32>
    )? {
        guard let large = folders[folder], let handle = large[name] else { return nil }
        return (large.handle, handle, large.window(from: handle, count: window))
    }
}
