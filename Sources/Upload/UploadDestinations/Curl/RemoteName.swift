import FrameFastModel
import UploadEngine

/// Functions for file names at a destination.
enum RemoteName {
    /// The largest number to add to a name that is already in use.
    static let suffixesMax = 999

    /// Returns the wanted name. If `number` is not 0, the number is inserted before the extension.
    static func candidate(_ name: String, _ number: Int) -> String {
        number == 0 ? name : NamingTemplate.path(name, suffix: number)
    }

    /// Splits a name into its folder and its last component. The folder has no final slash, and is empty for
    /// a name without a folder.
    static func split(_ name: String) -> (folder: String, file: String) {
        guard let slash = name.lastIndex(of: "/") else { return ("", name) }
        return (String(name[..<slash]), String(name[name.index(after: slash)...]))
    }

    /// Returns the temporary name of an upload. The name contains the hash, the station name and the job
    /// number. Two installations never use the same temporary name, and an upload resumes only its own bytes.
    /// The job number distinguishes two uploads of the same bytes.
    ///
    /// - Parameter kind: The kind of name that the server accepts. With `final`, the upload uses no temporary
    ///   name.
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

    /// Returns the extension of the photo's name with its dot, or an empty text if the name has no extension.
    private static func fileExtension(of item: UploadItem) -> String {
        let (_, file) = split(item.remoteName)
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return "" }
        return String(file[dot...])
    }

    /// Returns the path of an upload's part file in the folder of the photo's final name.
    static func partPath(_ item: UploadItem, _ kind: TemporaryName = .hidden) -> String {
        sibling(item.remoteName, part(item, kind))
    }

    /// Returns all possible paths of an upload's part file, one for each kind of temporary name.
    static func partPaths(_ item: UploadItem) -> [String] {
        TemporaryName.allCases.filter { $0 != .final }.map { partPath(item, $0) }
    }

    /// Returns the path of `file` in the same folder as `name`.
    static func sibling(_ name: String, _ file: String) -> String {
        path(split(name).folder, file)
    }

    /// Returns the path of a file in a folder, or the file name alone if the folder is empty.
    static func path(_ folder: String, _ file: String) -> String {
        folder.isEmpty ? file : "\(folder)/\(file)"
    }

    /// Returns the wanted name with the photo's hash and the station name. No other installation creates this
    /// name, so it is safe on servers that replace existing files.
    static func unique(_ item: UploadItem) -> String {
        let (_, file) = split(item.remoteName)
        let mark = "-\(item.sha256.prefix(8))-\(item.station)"
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex else {
            return sibling(item.remoteName, file + mark)
        }
        return sibling(item.remoteName, file[..<dot] + mark + file[dot...])
    }

    /// Returns whether only this upload creates the name. The upload may delete only files with such names. A
    /// file with any other name may belong to another upload.
    static func isOnlyOurs(_ name: String, of item: UploadItem) -> Bool {
        name == unique(item) || TemporaryName.allCases.contains { name == partPath(item, $0) }
    }

    /// Returns the name for a photo on a server.
    ///
    /// - Parameter refusesTaken: Whether the server refuses to overwrite an existing file. On a server that
    ///   replaces files, the name must be unique. Otherwise, installations could replace each other's photos.
    ///   A name from a user-defined template stays unchanged.
    static func wanted(_ item: UploadItem, refusesTaken: Bool) -> String {
        refusesTaken || item.isNameChosen ? item.remoteName : unique(item)
    }

    /// Returns the names of the two small files that test a server's behavior. The names are unique to this
    /// installation.
    ///
    /// - Parameter kind: The kind of the names. Part files of photos have the same kind if the server accepts
    ///   it.
    static func trials(_ item: UploadItem, _ kind: TemporaryName = .hidden) -> (first: String, second: String)
    {
        (temporary("trial-\(item.station)-1", item, kind), temporary("trial-\(item.station)-2", item, kind))
    }

    /// Throws a failure if a name could refer to a file outside of the destination's folder, or break the
    /// protocol.
    static func check(_ name: String) throws(UploadFailure) {
        guard !isBad(name) else {
            throw UploadFailure(
                .permanent(.unprocessable),
                "The destination does not allow the name that the template creates.",
                nextStep: "Correct the destination's name template.")
        }
    }

    private static func isBad(_ name: String) -> Bool {
        name.utf8.contains { $0 < 32 || $0 == 127 } || leavesFolder(name)
    }

    /// Returns whether a component of the name is empty, `.` or `..`. The function compares bytes, as servers
    /// and file systems do, because Swift treats a `/` with a combining mark as a different character.
    static func leavesFolder(_ name: String) -> Bool {
        name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .contains { $0.isEmpty || $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
    }

    /// Returns the failure for a name whose numbered variants are all in use.
    static func allTaken(_ name: String, _ place: String) -> UploadFailure {
        UploadFailure(
            .permanent(.conflict),
            "At \(place), other photos already have the name \(name) and all its numbered variants.",
            nextStep: "Add a date or the camera's name to the destination's name template.")
    }
}
