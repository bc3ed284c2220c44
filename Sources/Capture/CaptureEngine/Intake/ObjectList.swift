import FrameFastModel

/// A camera's whole object list, to hold against it what the ledger knows.
struct ObjectList {
    /// Objects in the camera's order.
    let objects: [CameraObject]
    private let listed: Set<CameraObject>
    private let paths: Set<String>
    private let wherever: Set<CameraObject>

    init(_ objects: [CameraObject]) {
        self.objects = objects
        listed = Set(objects)
        paths = Set(listed.map(\.path))
        wherever = Set(listed.compactMap(\.wherever))
    }

    /// Whether an object is in the list, as it was told.
    func contains(_ object: CameraObject) -> Bool { listed.contains(object) }

    /// Whether an object of the list agrees in all but the folder; never without a time.
    func hasElsewhere(_ object: CameraObject) -> Bool { object.wherever.map(wherever.contains) == true }

    /// Whether an object that is not in the list was misread, or is in the list under other facts.
    ///
    /// - Parameter looksCutShort: whether its facts are doubtful by themselves.
    func showsMisread(_ object: CameraObject, looksCutShort: Bool) -> Bool {
        // A folder has one object of a name: under other facts it is this one, or was put in its place.
        looksCutShort || paths.contains(object.path)
            // The card went to the other slot, or one of the two sessions misread its folders.
            || hasElsewhere(object)
    }
}
