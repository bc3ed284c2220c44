import Synchronization

/// The texts of one language.
public struct Catalogue: Sendable {
    /// What a translation is found by.
    public struct Key: Hashable, Sendable {
        /// ``Message/key`` in English; of texts with a number, that for one.
        public var text: String
        /// What tells two texts apart that are the same in English; empty for most.
        public var context: String

        /// Creates a key.
        public init(_ text: String, context: String = "") {
            self.text = text
            self.context = context
        }
    }

    private let entries: [Key: [String]]
    private let plural: PluralRule

    /// The program's own texts.
    public static let english = Catalogue(entries: [:], plural: .one)

    /// Creates a catalogue.
    ///
    /// - Parameter entries: the translations, with one form for each that ``PluralRule`` tells apart; one form for a text
    ///   without a number.
    public init(entries: [Key: [String]], plural: PluralRule) {
        self.entries = entries
        self.plural = plural
    }

    func text(_ message: Message, context: String) -> String {
        // In English the key is the text.
        guard !entries.isEmpty, let form = entries[Key(message.key, context: context)]?.first else {
            return message.filled(into: message.key)
        }
        return message.filled(into: form)
    }

    func text(_ count: Int, _ one: Message, _ other: Message) -> String {
        guard !entries.isEmpty, let forms = entries[Key(one.key)], forms.count == plural.forms else {
            return count == 1 ? one.filled(into: one.key) : other.filled(into: other.key)
        }
        // What is for one may leave the number out in English, and not in another language.
        return other.filled(into: forms[plural.form(of: count)])
    }

    // MARK: which one holds

    @TaskLocal private static var scoped: Catalogue?
    private static let chosen = Mutex(Catalogue.english)

    /// Sets the language of this process, once, before anything is shown.
    public static func use(_ catalogue: Catalogue) { chosen.withLock { $0 = catalogue } }

    /// The language that holds here.
    static var current: Catalogue { scoped ?? chosen.withLock { $0 } }

    /// Does something in this language, whatever that of the process: one process tests several beside each other.
    public func callAsFunction<Result>(_ work: () throws -> Result) rethrows -> Result {
        try Self.$scoped.withValue(self, operation: work)
    }

    /// The same for what waits.
    public func callAsFunction<Result>(_ work: () async throws -> Result) async rethrows -> Result {
        try await Self.$scoped.withValue(self, operation: work)
    }
}

/// How a language tells numbers apart (gettext's `Plural-Forms`).
public enum PluralRule: Hashable, Sendable {
    /// It does not: Thai, Japanese.
    case none
    /// One, and all others: English, German.
    case one

    /// How many forms a text with a number has.
    public var forms: Int { self == .none ? 1 : 2 }

    func form(of count: Int) -> Int { self == .none || count == 1 ? 0 : 1 }
}

/// A text in the language that holds here.
///
/// - Parameter context: what tells it apart from the same English text with another meaning.
public func localized(_ message: Message, _ context: StaticString = "") -> String {
    Catalogue.current.text(message, context: context.description)
}

/// A whole text that came from elsewhere, for example a maker's steps from the service; as it is where the catalogue has none.
public func localized(whole text: String) -> String { localized(Message(stringLiteral: text)) }

/// A text with a number that decides about its form.
///
/// - Parameters:
///   - count: the number; what is shown of it stands in the texts.
///   - one: the English text for one.
///   - other: the English text for all other numbers, with everything that is filled in.
public func localized(_ count: Int, one: Message, other: Message) -> String {
    Catalogue.current.text(count, one, other)
}
