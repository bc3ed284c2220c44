import FrameFastAPI

/// The schema of a wire type.
struct WireSchema {
    /// The type of a field's value.
    indirect enum Kind {
        case text, integer, number, flag, time
        case word([String])
        case list(Kind)
        /// An element of a list that can be `null`.
        case optional(Kind)
        /// A map of texts by name.
        case texts
        /// A reference to the schema of that name.
        case object(String)
    }

    /// A field of a wire type.
    struct Field {
        /// The key in JSON.
        var key: String
        var kind: Kind
        /// Whether the key is always present.
        var isRequired: Bool
        /// Whether the value can be `null`.
        var isNullable: Bool
        /// The description from the type, or `nil` if the type does not describe the field.
        var declaration: WireField?
    }

    var name: String
    var summary: String
    var fields: [Field]
}
