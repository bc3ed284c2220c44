public import SettingKeys

/// A section of the configuration, which declares each of its keys once.
public protocol ConfigurationSection: KeyTable {
    /// The title of the section in the generated documents.
    static var title: String { get }
    /// All keys that the section allows.
    static var all: [SettingDeclaration] { get }
}

extension ConfigurationSection {
    /// The keys that the section itself declares.
    public static var all: [SettingDeclaration] { declarations }
}

/// A key with its section. The parser and the reload use the keys. The commented default file and the
/// reference are generated from the keys.
struct ConfigurationKey: Sendable {
    /// The section that contains the key.
    let section: String
    /// The declaration of the key.
    let declaration: SettingDeclaration

    var name: String { declaration.name }
    var form: SettingForm { declaration.form }

    /// The section and name: `capture.directory`.
    var path: String { section + "." + name }
    /// The name of the environment variable, `FRAMEFAST_CAPTURE_DIRECTORY`, or `nil` for list sections, which
    /// only files may contain.
    var environmentName: String? {
        ConfigurationKeys.listSections.contains(section) ? nil : "FRAMEFAST_\(section)_\(name)".uppercased()
    }
}

/// All keys, in the order of the commented file and the reference.
enum ConfigurationKeys {
    /// The sections, in order.
    private static let tables: [any ConfigurationSection.Type] = [
        CaptureKeys.self, CameraKeys.self, GroupKeys.self, USBKeys.self, UploadKeys.self,
        DestinationKeys.self, HookKeys.self, StorageKeys.self, APIKeys.self, WebKeys.self,
        MetricsKeys.self, DriverKeys.self, StateKeys.self, LogKeys.self,
    ]

    /// The sections that may occur several times, each time with a name.
    static let listSections: Set<String> = [
        CameraKeys.section, GroupKeys.section, DestinationKeys.section, HookKeys.section,
    ]

    /// The section names, in order.
    static let sections = tables.map { $0.section }

    static let all = tables.flatMap { table in
        table.all.map { ConfigurationKey(section: table.section, declaration: $0) }
    }

    private static let bySection = Dictionary(grouping: all, by: \.section)

    /// Returns the keys of a section, in order.
    static func keys(of section: String) -> [ConfigurationKey] { bySection[section] ?? [] }

    /// Returns the title of a section.
    static func title(of section: String) -> String {
        tables.first { $0.section == section }?.title ?? section
    }
}
