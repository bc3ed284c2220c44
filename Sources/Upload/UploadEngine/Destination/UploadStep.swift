/// A step of an upload, which corresponds to a request to the server.
public enum UploadStep: String, CaseIterable, Hashable, Sendable {
    case connect, listFeatures, makeFolder, look, readTime, send, resume, complete, sync, setTime, checksum
    case readBack, rename, remove

    /// Whether the step can follow the transfer. The server then has the bytes, and a retry repeats only the
    /// step.
    public var comesAfterTransfer: Bool {
        switch self {
        case .look, .readTime, .complete, .sync, .setTime, .checksum, .readBack, .rename: true
        case .connect, .listFeatures, .makeFolder, .send, .resume, .remove: false
        }
    }

    /// Returns the step as an infinitive that completes a sentence such as "The server denied permission …".
    ///
    /// - Parameter name: The file or folder name in the request, or `nil` if unknown.
    public func infinitive(_ name: String?) -> String {
        let file = name ?? "the photo"
        return switch self {
        case .connect: "to connect"
        case .listFeatures: "to list its features"
        case .makeFolder: "to create the folder \(name ?? "of the photo")"
        case .look: name.map { "to report the size of \($0)" } ?? "to list the folder"
        case .readTime: "to report the time of \(file)"
        case .send: "to store \(file)"
        case .resume: "to resume \(file)"
        case .complete: "to complete the upload of \(file)"
        case .sync: "to flush \(file) to disk"
        case .setTime: "to set the time of \(file)"
        case .checksum: "to compute the checksum of \(file)"
        case .readBack: "to read \(file) back"
        case .rename: "to rename \(file)"
        case .remove: "to remove \(file)"
        }
    }

    /// The next step for a person after the server refused this step.
    public var advice: String {
        switch self {
        case .connect: "Check that the server is running and the network is up."
        case .listFeatures: "Check the server's log."
        case .makeFolder: "Create the folder on the server, or correct the destination's path."
        case .look, .readTime: "Give the destination's user permission to list files."
        case .send:
            "Give the destination's user write permission, or check the server for a rule against this name."
        case .resume: "Give the destination's user permission to change files."
        case .complete: "Give the destination's user write permission, or check the server's log."
        case .sync: "Check the server's disk."
        case .setTime: "Give the destination's user permission to set file times."
        case .checksum: "Give the destination's user read permission."
        case .readBack: "Give the destination's user read permission, or correct the destination's 'verify'."
        case .rename: "Give the destination's user permission to rename files."
        case .remove: "Give the destination's user permission to delete files."
        }
    }
}
