import FrameFastAPI

/// What a wire type consists of.
struct WireSchema {
    /// What a field holds.
    indirect enum Kind {
        case text, integer, number, flag, time
        case word([String])
        case list(Kind)
        /// Texts by name.
        case texts
        /// The schema of that name.
        case object(String)
    }

    /// One field.
    struct Field {
        /// Its key in JSON.
        var key: String
        var kind: Kind
        /// Whether the key is there each time.
        var isRequired: Bool
        /// Whether it can be `null`.
        var isNullable: Bool
        /// What its type says of it.
        var words: WireField?
    }

    var name: String
    var summary: String
    var fields: [Field]
}
