public import SettingKeys

/// A table of the configuration: its keys, each declared once.
public protocol ConfigurationSection: KeyTable {
    /// What it is about.
    static var title: String { get }
    /// Every key that may stand in it.
    static var all: [SettingDeclaration] { get }
}

extension ConfigurationSection {
    /// Those that the table declares.
    public static var all: [SettingDeclaration] { declarations }
}

/// A key with the section that it stands in: drives the parser, the commented file, the reference and the reload.
struct ConfigurationKey: Sendable {
    /// Table that the key stands in.
    let section: String
    /// What is declared of it.
    let declaration: SettingDeclaration

    var name: String { declaration.name }
    var form: SettingForm { declaration.form }

    /// Section and name: `capture.directory`.
    var path: String { section + "." + name }
    /// `FRAMEFAST_CAPTURE_DIRECTORY`; `nil` for tables of a list, which are given in files only.
    var environmentName: String? {
        ConfigurationKeys.listSections.contains(section) ? nil : "FRAMEFAST_\(section)_\(name)".uppercased()
    }
}

/// Every key, in the order of the commented file and the reference.
enum ConfigurationKeys {
    /// The tables, in order.
    private static let tables: [any ConfigurationSection.Type] = [
        CaptureKeys.self, CameraKeys.self, GroupKeys.self, USBKeys.self, UploadKeys.self,
        DestinationKeys.self, HookKeys.self, StorageKeys.self, APIKeys.self, MetricsKeys.self,
        DriverKeys.self, StateKeys.self, LogKeys.self,
    ]

    /// Sections that may be given many times, each table with a name.
    static let listSections: Set<String> = [
        CameraKeys.section, GroupKeys.section, DestinationKeys.section, HookKeys.section,
    ]

    /// Section names, in order.
    static let sections = tables.map { $0.section }

    static let all = tables.flatMap { table in
        table.all.map { ConfigurationKey(section: table.section, declaration: $0) }
    }

    private static let bySection = Dictionary(grouping: all, by: \.section)

    /// Keys of a section, in order.
    static func keys(of section: String) -> [ConfigurationKey] { bySection[section] ?? [] }

    /// What a section is about.
    static func title(of section: String) -> String {
        tables.first { $0.section == section }?.title ?? section
    }
}
