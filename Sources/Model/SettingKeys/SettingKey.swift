/// The declaration of a configuration key. The parser, the reference, the example file and reloads use the
/// declaration.
public struct SettingDeclaration: Sendable {
    /// The time at which a changed value takes effect.
    public enum Change: Sendable {
        /// At the next reload of the configuration.
        case reload
        /// At the next start of the service.
        case restart
        /// At the next reload. While the metered-network check is running, only at the next start of the
        /// service.
        case restartWithMeter
    }

    /// A group of keys in the reference of destinations, in the order of the raw values.
    public enum Topic: Int, Sendable, Comparable {
        case location, verification, transfer, connection, account, keys, trust

        /// Compares the positions in the reference.
        public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    /// The name of the key in its table.
    public let name: String
    /// The form of a value.
    public let form: SettingForm
    /// The default value in TOML, or `nil` if the key has no default.
    public let defaultTOML: String?
    /// An example value in TOML for the commented configuration file. Used for a key without a default.
    public var exampleTOML: String?
    /// A description in complete sentences.
    public var description: String
    /// Whether the key is required.
    public var isRequired = false
    /// The time at which a changed value takes effect.
    public var change = Change.reload
    /// The group of the key in the reference.
    public var topic = Topic.location
    /// Whether the value is the path of a file with a secret.
    public var isSecretFile = false
    /// A second environment variable that sets the key, in addition to the variable that is derived from its
    /// name.
    public var variable: String?
    /// The command-line option that sets the key.
    public var flag: String?
    /// The general key whose value applies if this key is not set, for example `capture.verify`.
    public var overrides: String?
    /// A function that returns the problems of a value, or an empty array for a valid value.
    public let check: @Sendable (SettingValue) -> [String]
}

/// A typed configuration key. A table declares each of its keys as a property.
public struct SettingKey<Value: Sendable>: Sendable {
    /// The declaration of the key.
    public private(set) var declaration: SettingDeclaration
    /// A function that converts a setting value to the key's type.
    let read: @Sendable (SettingValue?) -> Value?

    private init(
        _ name: String, _ form: SettingForm, _ check: @escaping @Sendable (SettingValue) -> [String],
        default value: String?, example: String?, description: String,
        read: @escaping @Sendable (SettingValue?) -> Value?
    ) {
        declaration = SettingDeclaration(
            name: name, form: form, defaultTOML: value, exampleTOML: example, description: description,
            check: check)
        self.read = read
    }

    /// Creates a key with a default value.
    ///
    /// - Parameters:
    ///   - value: The default value in TOML.
    ///   - description: A description in complete sentences.
    public init(
        _ name: String, _ kind: SettingKind<Value>, default value: String, example: String? = nil,
        change: SettingDeclaration.Change = .reload, variable: String? = nil, flag: String? = nil,
        _ description: String
    ) {
        self.init(name, kind.form, kind.check, default: value, example: example, description: description) {
            $0.flatMap(kind.read)
        }
        declaration.change = change
        declaration.variable = variable
        declaration.flag = flag
    }

    /// Creates a required key.
    public init(
        _ name: String, required kind: SettingKind<Value>, example: String?,
        topic: SettingDeclaration.Topic = .location, _ description: String
    ) {
        self.init(name, kind.form, kind.check, default: nil, example: example, description: description) {
            $0.flatMap(kind.read)
        }
        declaration.isRequired = true
        declaration.topic = topic
    }

    /// Creates an optional key.
    public init<Given>(
        _ name: String, optional kind: SettingKind<Given>, example: String?,
        topic: SettingDeclaration.Topic = .location, isSecretFile: Bool = false,
        change: SettingDeclaration.Change = .reload, _ description: String
    ) where Value == Given? {
        self.init(name, kind.form, kind.check, default: nil, example: example, description: description) {
            .some($0.flatMap(kind.read))
        }
        declaration.topic = topic
        declaration.isSecretFile = isSecretFile
        declaration.change = change
    }

    /// Creates a key that overrides a general key for one entry of a list, such as a camera.
    public init<Section: KeyTable>(
        overriding path: KeyPath<Section, SettingKey<Value>>, example: String, for subject: String
    ) {
        let general = Section.keys[keyPath: path]
        let name = "\(Section.section).\(general.declaration.name)"
        self.init(
            general.declaration.name, general.declaration.form, general.declaration.check, default: nil,
            example: example, description: "Overrides `\(name)` for \(subject).", read: general.read)
        declaration.overrides = name
    }

    /// Returns a required copy of the key.
    public func required<Given>() -> SettingKey<Given> where Value == Given? {
        var key = SettingKey<Given>(
            declaration.name, declaration.form, declaration.check, default: nil,
            example: declaration.exampleTOML, description: declaration.description
        ) { [read] in $0.flatMap { read($0) ?? nil } }
        key.declaration = declaration
        key.declaration.isRequired = true
        return key
    }
}

/// A configuration key of any value type.
protocol DeclaredKey {
    var declaration: SettingDeclaration { get }
}

extension SettingKey: DeclaredKey {}
