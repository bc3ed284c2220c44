public import SettingKeys

/// The kinds of destinations. A new kind needs a folder, a case, and an entry in `descriptor`.
public enum DestinationKind: String, CaseIterable, Sendable {
    case directory, s3, sftp, ftp, webdav, http, rclone, command

    /// The declaration of the kind.
    public var descriptor: any DestinationDescriptor.Type {
        switch self {
        case .directory: DirectoryKind.self
        case .s3: S3Kind.self
        case .sftp: SFTPKind.self
        case .ftp: FTPKind.self
        case .webdav: WebDAVKind.self
        case .http: HTTPKind.self
        case .rclone: RcloneKind.self
        case .command: CommandKind.self
        }
    }

    /// The keys of all kinds, in the order of the configuration reference. A key that several kinds share
    /// appears once, and its text combines the texts of these kinds.
    public static let keys: [SettingDeclaration] = {
        var keys: [SettingDeclaration] = []
        for key in allCases.flatMap({ $0.descriptor.keys }) {
            guard let known = keys.firstIndex(where: { $0.name == key.name }) else {
                keys.append(key)
                continue
            }
            if !keys[known].description.contains(key.description) {
                keys[known].description += " " + key.description
            }
            keys[known].exampleTOML = keys[known].exampleTOML ?? key.exampleTOML
        }
        let topics = Dictionary(grouping: keys, by: \.topic).sorted { $0.key < $1.key }
        return topics.flatMap(\.value)
    }()
}
