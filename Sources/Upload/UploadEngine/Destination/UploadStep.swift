/// A step of an upload, as the server is asked for it.
public enum UploadStep: String, CaseIterable, Hashable, Sendable {
    case connect, makeFolder, look, send, sync, setTime, readBack, rename, remove

    /// The server's part in the step, after "does not allow us".
    ///
    /// - Parameter name: The name that was refused.
    public func act(_ name: String?) -> String {
        let it = name ?? "the photo"
        return switch self {
        case .connect: "to connect"
        case .makeFolder: "to make the folder \(name ?? "of the photo")"
        case .look: "to ask for the size of \(it)"
        case .send: "to store \(it)"
        case .sync: "to write \(it) through to its disk"
        case .setTime: "to set the time of \(it)"
        case .readBack: "to read \(it) back"
        case .rename: "to rename \(it)"
        case .remove: "to remove \(it)"
        }
    }

    /// The next step after a refusal of this step.
    public var advice: String {
        switch self {
        case .connect: "Check that the server runs and that the network is up."
        case .makeFolder: "Make the folder there, or correct the destination's path."
        case .look: "Give the user the right to list files there."
        case .send:
            "Give the user the right to write there, or look for a rule at the server against this name."
        case .sync: "Check the server's disk."
        case .setTime: "Give the user the right to set the times of files there."
        case .readBack: "Give the user the right to read there, or correct the destination's 'verify'."
        case .rename: "Give the user the right to rename there."
        case .remove: "Give the user the right to delete there."
        }
    }
}
