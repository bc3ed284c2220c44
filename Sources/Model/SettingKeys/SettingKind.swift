/// What a value may be, and what it is for whoever uses it.
public struct SettingKind<Value: Sendable>: Sendable {
    /// How it is written.
    public let form: SettingForm
    /// What is wrong with a value of that form.
    let check: @Sendable (SettingValue) -> [String]
    /// The value; `nil` when it is of another form.
    let read: @Sendable (SettingValue) -> Value?

    /// Makes a kind.
    ///
    /// - Parameters:
    ///   - check: What is wrong with a value of that form, each a sentence's part.
    ///   - read: The value; `nil` when it is of another form or wrong.
    public init(
        _ form: SettingForm, check: @escaping @Sendable (SettingValue) -> [String] = { _ in [] },
        read: @escaping @Sendable (SettingValue) -> Value?
    ) {
        self.form = form
        self.check = check
        self.read = read
    }
}

extension SettingKind where Value == String {
    /// Any text that is not empty.
    public static var text: Self { .init(.text) { $0.text } }
    /// A naming template.
    public static var template: Self { .init(.template) { $0.text } }
    /// An absolute path.
    public static var path: Self { .init(.path) { $0.text } }
    /// A name that can be used in file names.
    public static var name: Self { .init(.cameraName) { $0.text } }
    /// A camera's address.
    public static var address: Self { .init(.address) { $0.text } }
    /// In place of a zone's name: the computer's own.
    public static var localZone: String { "local" }
    /// A time zone of the IANA database, or ``localZone``.
    public static var timeZone: Self { .init(.timeZone) { $0.text } }
    /// One of these words.
    public static func choice(_ words: [String]) -> Self { .init(.choice(words)) { $0.text } }
}

extension SettingKind where Value == Bool {
    /// `true` or `false`.
    public static var flag: Self {
        .init(.flag) { if case .flag(let flag) = $0 { flag } else { nil } }
    }
}

extension SettingKind where Value == Int {
    /// A whole number within bounds.
    public static func number(_ bounds: ClosedRange<Int>) -> Self {
        .init(.number(bounds)) { if case .number(let number) = $0 { number } else { nil } }
    }
}

extension SettingKind where Value == Int64 {
    /// A number of bytes.
    public static var size: Self { size { _ in nil } }

    /// A number of bytes with a check.
    ///
    /// - Parameter fault: What is wrong with it.
    public static func size(_ fault: @escaping @Sendable (Int64) -> String?) -> Self {
        .init(.size, check: { $0.bytes.flatMap(fault).map { [$0] } ?? [] }) { $0.bytes }
    }
}

extension SettingKind where Value == Duration {
    /// A span of time up to the limit.
    public static func duration(max: Duration) -> Self {
        .init(.duration(max: max)) { if case .duration(let duration) = $0 { duration } else { nil } }
    }
}

extension SettingKind where Value == [String] {
    /// Names of drivers.
    public static var drivers: Self { .init(.drivers) { $0.list } }

    /// Texts; may be none.
    ///
    /// - Parameters:
    ///   - what: What they are, in words.
    ///   - fault: What is wrong with one of them.
    public static func texts(
        _ what: String, _ fault: @escaping @Sendable (String) -> String? = { _ in nil }
    ) -> Self {
        .init(.texts(what), check: { ($0.list ?? []).compactMap(fault) }) { $0.list }
    }
}

extension SettingKind where Value: RawRepresentable, Value.RawValue == String {
    /// One of these words.
    public static func choice(_ words: [Value]) -> Self {
        .init(.choice(words.map(\.rawValue))) { $0.text.flatMap(Value.init(rawValue:)) }
    }
}

extension SettingKind {
    /// One or several of these words.
    public static func words<Word: RawRepresentable<String> & Hashable & Sendable>(_ words: [Word]) -> Self
    where Value == Set<Word> {
        .init(.words(words.map(\.rawValue))) { $0.list.map { Set($0.compactMap(Word.init(rawValue:))) } }
    }
}

extension SettingValue {
    /// The text; `nil` when it is none.
    public var text: String? { if case .text(let text) = self { text } else { nil } }
    /// The list; `nil` when it is none.
    public var list: [String]? { if case .list(let list) = self { list } else { nil } }
    /// The number of bytes; `nil` when it is none.
    public var bytes: Int64? { if case .bytes(let bytes) = self { bytes } else { nil } }
}
