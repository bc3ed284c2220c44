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

    /// The name that a photo has on its way: by its content and this station, so that no two stations share one, and
    /// nothing is ever resumed but the same bytes; and by the job, for the same bytes twice.
    ///
    /// - Parameter kind: As the server takes it. `final` has no name on the way.
    static func part(_ item: UploadItem, _ kind: TemporaryName = .hidden) -> String {
        temporary("\(item.sha256.prefix(16))-\(item.station)-\(item.jobID)", item, kind)
    }

    private static func temporary(_ mark: String, _ item: UploadItem, _ kind: TemporaryName) -> String {
        switch kind {
        case .hidden: ".framefast-\(mark).part"
        case .plain: "framefast-\(mark).part"
        case .bare: "framefast-\(mark)"
        case .photo, .final: "framefast-\(mark)\(fileExtension(of: item))"
        }
    }

    /// The extension of the photo's name with its dot, or nothing.
    private static func fileExtension(of item: UploadItem) -> String {
        let (_, file) = split(item.remoteName)
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return "" }
        return String(file[dot...])
    }

    /// The part of an upload beside its place.
    static func partPath(_ item: UploadItem, _ kind: TemporaryName = .hidden) -> String {
        beside(item.remoteName, part(item, kind))
    }

    /// Every name that the part of an upload may have, whatever the server took.
    static func partPaths(_ item: UploadItem) -> [String] {
        TemporaryName.allCases.filter { $0 != .final }.map { partPath(item, $0) }
    }

    /// A name in the folder of another.
    static func beside(_ name: String, _ file: String) -> String {
        path(split(name).folder, file)
    }

    /// A file in a folder; the name alone if the folder is empty.
    static func path(_ folder: String, _ file: String) -> String {
        folder.isEmpty ? file : "\(folder)/\(file)"
    }

    /// The wanted name with content and station in it: for servers that replace what has a name already. Nobody else
    /// makes it.
    static func unique(_ item: UploadItem) -> String {
        let (_, file) = split(item.remoteName)
        let mark = "-\(item.sha256.prefix(8))-\(item.station)"
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex else {
            return beside(item.remoteName, file + mark)
        }
        return beside(item.remoteName, file[..<dot] + mark + file[dot...])
    }

    /// Whether nobody but this upload makes a name: what stands there may be removed. Under a name that others make, too,
    /// it may be somebody else's by now.
    static func isOnlyOurs(_ name: String, of item: UploadItem) -> Bool {
        name == unique(item) || TemporaryName.allCases.contains { name == partPath(item, $0) }
    }

    /// The name that a photo is to have at a server.
    ///
    /// - Parameter refusesTaken: Whether the server refuses a name that is taken. Where it does not, only a name of our
    ///   own keeps stations from replacing each other's photos; a person's own template is kept.
    static func wanted(_ item: UploadItem, refusesTaken: Bool) -> String {
        refusesTaken || item.isNameChosen ? item.remoteName : unique(item)
    }

    /// Two small files that try out what a server takes; this station's own.
    ///
    /// - Parameter kind: Their names follow the rules that a photo's temporary name follows.
    static func trials(_ item: UploadItem, _ kind: TemporaryName = .hidden) -> (first: String, second: String)
    {
        (temporary("trial-\(item.station)-1", item, kind), temporary("trial-\(item.station)-2", item, kind))
    }

    /// Refuses names that could leave the destination's folder or break its protocol.
    static func check(_ name: String) throws(UploadFailure) {
        guard !isBad(name) else {
            throw UploadFailure(
                .permanent(.unprocessable),
                "The name that the template makes cannot be used at the destination.",
                nextStep: "Correct the destination's name template.")
        }
    }

    private static func isBad(_ name: String) -> Bool {
        name.utf8.contains { $0 < 32 || $0 == 127 } || leavesFolder(name)
    }

    /// Whether a part of the name is empty or leads elsewhere. By byte, as servers and file systems read it: with a
    /// combining mark behind it a "/" is another character.
    static func leavesFolder(_ name: String) -> Bool {
        name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .contains { $0.isEmpty || $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
    }

    /// When every number is taken.
    static func allTaken(_ name: String, _ place: String) -> UploadFailure {
        UploadFailure(
            .permanent(.conflict), "\(place) has other photos under the name \(name) and all its numbers.",
            nextStep: "Put a date or the camera's name into the destination's name template.")
    }
}
