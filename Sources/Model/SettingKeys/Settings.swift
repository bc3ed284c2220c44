extension KeyTable {
    /// The declarations of all keys, in the order of the properties.
    public static var declarations: [SettingDeclaration] { keys.declared }

    private var declared: [SettingDeclaration] {
        Mirror(reflecting: self).children.flatMap { child -> [SettingDeclaration] in
            switch child.value {
            case let key as any DeclaredKey: [key.declaration]
            case let part as any KeyTable: part.declared
            default: []
            }
        }
    }
}

/// The validated values of a table. Each key is a property that returns the key's value, for example
/// `configuration.capture.directory`.
@dynamicMemberLookup
public struct Settings<Keys: KeyTable>: Sendable, Hashable {
    /// The values by key name.
    public var values: [String: SettingValue]

    /// Creates settings from validated values. The values must include every required key and every key with
    /// a default.
    public init(_ values: [String: SettingValue]) { self.values = values }

    /// Returns the value of a key.
    public subscript<Value>(dynamicMember path: KeyPath<Keys, SettingKey<Value>>) -> Value {
        let key = Keys.keys[keyPath: path]
        guard let value = key.read(values[key.declaration.name]) else {
            preconditionFailure("\(Keys.section).\(key.declaration.name) is used without a value")
        }
        return value
    }

    /// Returns the settings for the keys of a part.
    public subscript<Part: KeyTable>(dynamicMember path: KeyPath<Keys, Part>) -> Settings<Part> {
        Settings<Part>(values)
    }
}
