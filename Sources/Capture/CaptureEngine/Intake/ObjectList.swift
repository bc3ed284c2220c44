import FrameFastModel

/// A camera's complete object list, which is compared with the ledger.
struct ObjectList {
    /// The objects in the camera's order.
    let objects: [CameraObject]
    private let listed: Set<CameraObject>
    private let paths: Set<String>
    private let withoutFolder: Set<CameraObject>

    init(_ objects: [CameraObject]) {
        self.objects = objects
        listed = Set(objects)
        paths = Set(listed.map(\.path))
        withoutFolder = Set(listed.compactMap(\.withoutFolder))
    }

    /// Returns whether the list contains an object with exactly these facts.
    func contains(_ object: CameraObject) -> Bool { listed.contains(object) }

    /// Returns whether the list contains an object that differs only in its folder. Always `false` for an
    /// object without a time.
    func hasElsewhere(_ object: CameraObject) -> Bool {
        object.withoutFolder.map(withoutFolder.contains) == true
    }

    /// Returns whether an object that is missing in the list was probably misread, or is in the list with
    /// other facts.
    ///
    /// - Parameter isProbablyTruncated: Whether the object's facts look truncated.
    func showsMisread(_ object: CameraObject, isProbablyTruncated: Bool) -> Bool {
        // A name is unique in a folder. An object with the same path and other facts is the same object, or
        // has replaced it.
        isProbablyTruncated || paths.contains(object.path)
            // The card was moved to the other slot, or one of the two connections misread its folders.
            || hasElsewhere(object)
    }
}
