/// The reason why an upload is held.
public enum UploadHold: String, Codable, Hashable, Sendable, CaseIterable {
    /// The session is offline: it uploads nothing until its photos are released.
    case offline
    /// A RAW file waits until the session's pictures are uploaded.
    case jpegFirst = "jpeg-first"
    /// The photo is neither rated high enough nor protected in the camera.
    case unrated
    /// The session uploads only photos that a person adds.
    case manual
    /// The scheduled time has not come.
    case scheduled
    /// A person held the upload.
    case person
    /// The photo is older than the session that was running when the photo was found.
    case unsorted

    /// The reason, as a sentence for people.
    public var sentence: String {
        switch self {
        case .offline: "The session is offline: its photos wait until they are released."
        case .jpegFirst: "RAW files wait until the pictures are uploaded."
        case .unrated: "The photo is neither rated high enough nor protected in the camera."
        case .manual: "The session uploads only photos that you add to the queue."
        case .scheduled: "The photo waits for the scheduled time."
        case .person: "The photo was held manually."
        case .unsorted:
            "Photos from before the running session belong to no session: they are saved in 'unsorted' and not uploaded."
        }
    }

    /// The next step to release the upload, for people.
    public var nextStep: String {
        switch self {
        case .offline: "Release the photos, or switch the session to another mode."
        case .jpegFirst, .scheduled: "Nothing to do; release the photos to upload them now."
        case .unrated: "Release the photo to upload it anyway."
        case .manual: "Add the photos that you want to upload."
        case .person: "Release the photo."
        case .unsorted:
            "List the photos in 'unsorted' with 'framefast queue --state held'. "
                + "To upload them: 'framefast queue release NUMBER…'; "
                + "to keep them only here: 'framefast queue drop NUMBER…'."
        }
    }
}
