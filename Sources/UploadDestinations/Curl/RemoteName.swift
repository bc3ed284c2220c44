import FrameFastModel
import UploadEngine

/// Names at a destination.
enum RemoteName {
    /// Most numbers that are tried for a name that is taken.
    static let mostSuffixes = 999

    /// The wanted name, or one with a number before the extension.
    static func candidate(_ name: String, _ number: Int) -> String {
        number == 0 ? name : NamingTemplate.path(name, suffix: number)
    }

    /// Folder (without slash at its end, empty for none) and last part.
    static func split(_ name: String) -> (folder: String, file: String) {
        guard let slash = name.lastIndex(of: "/") else { return ("", name) }
        return (String(name[..<slash]), String(name[name.index(after: slash)...]))
    }

    /// The hidden name that the photo has on its way: it is ours by the job's number.
    static func part(of file: String, job: Int64) -> String { ".\(file).\(job).part" }

    /// Refuses names that could leave the destination's folder or break its protocol.
    static func check(_ name: String) throws(UploadFailure) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let isBad =
            name.utf8.contains { $0 < 32 || $0 == 127 }
            || parts.contains { $0.isEmpty || $0 == "." || $0 == ".." }
        guard !isBad else {
            throw UploadFailure(
                .hopeless(.unprocessable),
                "The name that the template makes cannot be used at the destination.",
                nextStep: "Correct the destination's name template.")
        }
    }

    /// When every number is taken.
    static func allTaken(_ name: String, _ place: String) -> UploadFailure {
        UploadFailure(
            .hopeless(.conflict), "\(place) has other photos under the name \(name) and all its numbers.",
            nextStep: "Put a date or the camera's name into the destination's name template.")
    }
}
