/// Keys that stand in one table, a property each. A part that several tables share is a table of its own.
public protocol KeyTable: Sendable {
    /// The table's name; of a part, that of the table that it is in.
    static var section: String { get }
    /// The keys.
    static var keys: Self { get }
}

extension KeyTable {
    /// Every key, in the order in which they are declared.
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

/// The checked values of one table, each read by its key: `configuration.capture.directory`.
@dynamicMemberLookup
public struct Settings<Keys: KeyTable>: Sendable, Hashable {
    /// Values by the names of their keys.
    public var values: [String: SettingValue]

    /// Takes values that are checked: every key with a default, and every required one, is there.
    public init(_ values: [String: SettingValue]) { self.values = values }

    /// The value of a key.
    public subscript<Value>(dynamicMember path: KeyPath<Keys, SettingKey<Value>>) -> Value {
        let key = Keys.keys[keyPath: path]
        guard let value = key.read(values[key.declaration.name]) else {
            preconditionFailure("\(Keys.section).\(key.declaration.name) is used without a value")
        }
        return value
    }

    /// The values of a part.
    public subscript<Part: KeyTable>(dynamicMember path: KeyPath<Keys, Part>) -> Settings<Part> {
        Settings<Part>(values)
    }
}
