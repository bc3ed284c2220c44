extension UploadHold {
    /// The reason, as a sentence for people.
    public var sentence: String {
        switch self {
        case .offline: "The session is in mode 'offline', which does not upload photos automatically."
        case .jpegFirst: "RAW files are uploaded after the session's other pictures."
        case .unrated:
            "The session uploads only photos with a high enough rating and photos that are protected in the camera."
        case .rejected: "The photo was rejected."
        case .manual: "The session uploads only photos that you add to the queue."
        case .scheduled: "The session uploads only at its scheduled times."
        case .person: "The upload was held manually."
        case .unsorted:
            "Photos taken before the running session are saved in 'unsorted' and are not uploaded automatically."
        }
    }

    /// The next step to release the upload, for people.
    public var nextStep: String {
        switch self {
        case .offline: "Release the photos, or switch the session to another mode."
        case .jpegFirst, .scheduled: "No action is needed. Release the photos to upload them now."
        case .unrated: "Release the photo to upload it anyway."
        case .rejected:
            "Release the photo to upload it anyway, or remove the rejection with 'framefast rate'."
        case .manual: "Add the photos that you want to upload."
        case .person: "Release the photo to upload it."
        case .unsorted:
            "List the photos in 'unsorted' with 'framefast queue --state held'. "
                + "To upload photos, run 'framefast queue release NUMBER…'. "
                + "To keep photos only on this computer, run 'framefast queue drop NUMBER…'."
        }
    }
}
