/// A key as it is declared: all that parser, reference, example file and reload need to know.
public struct SettingDeclaration: Sendable {
    /// When a change comes into force.
    public enum Change: Sendable {
        /// As soon as the configuration is read again.
        case reload
        /// When the service starts.
        case restart
        /// When the service starts; at once while nobody looks whether the network costs money.
        case restartWithMeter
    }

    /// What a key is about: how the reference orders the keys of destinations.
    public enum Topic: Int, Sendable, Comparable {
        case place, proof, way, connection, account, keys, trust

        /// As the reference has them.
        public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    /// Name within the table.
    public let name: String
    /// What a value may be.
    public let form: SettingForm
    /// Value in TOML when nothing is said; `nil` when there is none.
    public let defaultTOML: String?
    /// A value in TOML for the commented file when there is no default.
    public var exampleTOML: String?
    /// What it does, in whole sentences.
    public var words: String
    /// Whether a table without it is an error.
    public var isRequired = false
    /// When a change comes into force.
    public var change = Change.reload
    /// What it is about.
    public var topic = Topic.place
    /// Whether it names a file with a secret.
    public var isSecretFile = false
    /// A variable of the environment besides the one that is made from its name.
    public var variable: String?
    /// The flag of the command line that sets it.
    public var flag: String?
    /// The key, as `capture.verify`, whose value holds where this one is not given.
    public var overrides: String?
    /// What is wrong with a value of the form.
    public let check: @Sendable (SettingValue) -> [String]
}

/// A key with the type of its value. A table declares each of its keys once, as a property.
public struct SettingKey<Value: Sendable>: Sendable {
    /// What is declared.
    public private(set) var declaration: SettingDeclaration
    /// The value from what was given.
    let read: @Sendable (SettingValue?) -> Value?

    private init(
        _ name: String, _ form: SettingForm, _ check: @escaping @Sendable (SettingValue) -> [String],
        default value: String?, example: String?, words: String,
        read: @escaping @Sendable (SettingValue?) -> Value?
    ) {
        declaration = SettingDeclaration(
            name: name, form: form, defaultTOML: value, exampleTOML: example, words: words, check: check)
        self.read = read
    }

    /// A key that has a value when nothing is said.
    ///
    /// - Parameters:
    ///   - value: That value in TOML.
    ///   - words: What it does, in whole sentences.
    public init(
        _ name: String, _ kind: SettingKind<Value>, default value: String, example: String? = nil,
        change: SettingDeclaration.Change = .reload, variable: String? = nil, flag: String? = nil,
        _ words: String
    ) {
        self.init(name, kind.form, kind.check, default: value, example: example, words: words) {
            $0.flatMap(kind.read)
        }
        declaration.change = change
        declaration.variable = variable
        declaration.flag = flag
    }

    /// A key without which a table is an error.
    public init(
        _ name: String, required kind: SettingKind<Value>, example: String?,
        topic: SettingDeclaration.Topic = .place, _ words: String
    ) {
        self.init(name, kind.form, kind.check, default: nil, example: example, words: words) {
            $0.flatMap(kind.read)
        }
        declaration.isRequired = true
        declaration.topic = topic
    }

    /// A key that may be left out.
    public init<Given>(
        _ name: String, optional kind: SettingKind<Given>, example: String?,
        topic: SettingDeclaration.Topic = .place, isSecretFile: Bool = false, _ words: String
    ) where Value == Given? {
        self.init(name, kind.form, kind.check, default: nil, example: example, words: words) {
            .some($0.flatMap(kind.read))
        }
        declaration.topic = topic
        declaration.isSecretFile = isSecretFile
    }

    /// A key of a table in a list that overrides one that holds for all.
    public init<Section: KeyTable>(
        overriding path: KeyPath<Section, SettingKey<Value>>, example: String, for subject: String
    ) {
        let general = Section.keys[keyPath: path]
        let name = "\(Section.section).\(general.declaration.name)"
        self.init(
            general.declaration.name, general.declaration.form, general.declaration.check, default: nil,
            example: example, words: "Overrides `\(name)` for \(subject).", read: general.read)
        declaration.overrides = name
    }

    /// The same key where a table without it is an error.
    public func required<Given>() -> SettingKey<Given> where Value == Given? {
        var key = SettingKey<Given>(
            declaration.name, declaration.form, declaration.check, default: nil,
            example: declaration.exampleTOML, words: declaration.words
        ) { [read] in $0.flatMap { read($0) ?? nil } }
        key.declaration = declaration
        key.declaration.isRequired = true
        return key
    }
}

/// A key of any type.
protocol DeclaredKey {
    var declaration: SettingDeclaration { get }
}

extension SettingKey: DeclaredKey {}
