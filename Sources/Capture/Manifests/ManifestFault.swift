public import FrameFastSystem

/// Why a folder's history cannot be read or written.
public enum ManifestFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The chain file is not there, and the manifests are.
    case chainGone(folder: String)
    /// A manifest of the chain is not there.
    case manifestGone(name: String)
    /// A manifest has other bytes than the chain says.
    case manifestEdited(name: String)
    /// The chain is another one than the one that was written.
    case chainReplaced(folder: String)
    /// A file is no XML that a manifest is written in.
    case notXML(String)
    /// It says something that no manifest may.
    case notAllowed(String)
    /// A system call failed.
    case system(SystemCallError)

    /// For people.
    public var description: String {
        switch self {
        case .chainGone(let folder): "cannot find the chain file in \(folder)"
        case .manifestGone(let name): "cannot find the manifest \(name), which the chain names"
        case .manifestEdited(let name): "the manifest \(name) was edited: it is not what the chain says"
        case .chainReplaced(let folder): "the chain file in \(folder) is not the one that was written here"
        case .notXML(let how): "cannot read the manifest: \(how)"
        case .notAllowed(let how): "cannot use the manifest: \(how)"
        case .system(let error): error.description
        }
    }
}
