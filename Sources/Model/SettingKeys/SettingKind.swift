/// A kind of configuration value, with its form in the file, its validation and its conversion to a Swift
/// type.
public struct SettingKind<Value: Sendable>: Sendable {
    /// The form in the configuration.
    public let form: SettingForm
    /// A function that returns the problems of a value of that form, or an empty array for a valid value.
    let check: @Sendable (SettingValue) -> [String]
    /// A function that converts a setting value, or returns `nil` if the value has another form or is
    /// invalid.
    let read: @Sendable (SettingValue) -> Value?

    /// Creates a kind.
    ///
    /// - Parameters:
    ///   - check: Returns the problems of a value that has this form, each as a clause.
    ///   - read: Converts a value, or returns `nil` if the value has another form or is invalid.
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
    /// Text that is not empty.
    public static var text: Self { .init(.text) { $0.text } }
    /// A naming template.
    public static var template: Self { .init(.template) { $0.text } }
    /// An absolute path.
    public static var path: Self { .init(.path) { $0.text } }
    /// A name that can be used in file names.
    public static var name: Self { .init(.cameraName) { $0.text } }
    /// A camera's network address.
    public static var address: Self { .init(.address) { $0.text } }
    /// A time zone of the IANA database.
    public static var timeZone: Self { .init(.timeZone) { $0.text } }
    /// One of these keywords.
    public static func choice(_ words: [String]) -> Self { .init(.choice(words)) { $0.text } }
}

extension SettingKind where Value == Bool {
    /// `true` or `false`.
    public static var flag: Self {
        .init(.flag) { if case .flag(let flag) = $0 { flag } else { nil } }
    }
}

extension SettingKind where Value == Int {
    /// A whole number in this range.
    public static func number(_ bounds: ClosedRange<Int>) -> Self {
        .init(.number(bounds)) { if case .number(let number) = $0 { number } else { nil } }
    }
}

extension SettingKind where Value == Int64 {
    /// A number of bytes.
    public static var size: Self { size { _ in nil } }

    /// A number of bytes with additional validation.
    ///
    /// - Parameter fault: Returns the problem of the number, or `nil` if it is valid.
    public static func size(_ fault: @escaping @Sendable (Int64) -> String?) -> Self {
        .init(.size, check: { $0.bytes.flatMap(fault).map { [$0] } ?? [] }) { $0.bytes }
    }
}

extension SettingKind where Value == Duration {
    /// A duration up to the limit.
    public static func duration(max: Duration) -> Self {
        .init(.duration(max: max)) { if case .duration(let duration) = $0 { duration } else { nil } }
    }
}

extension SettingKind where Value == [String] {
    /// A list of driver names.
    public static var drivers: Self { .init(.drivers) { $0.list } }

    /// A list of texts, which may be empty.
    ///
    /// - Parameters:
    ///   - what: A description of the texts, for messages.
    ///   - fault: Returns the problem of a text, or `nil` if it is valid.
    public static func texts(
        _ what: String, _ fault: @escaping @Sendable (String) -> String? = { _ in nil }
    ) -> Self {
        .init(.texts(what), check: { ($0.list ?? []).compactMap(fault) }) { $0.list }
    }
}

extension SettingKind where Value: RawRepresentable, Value.RawValue == String {
    /// One of these keywords.
    public static func choice(_ words: [Value]) -> Self {
        .init(.choice(words.map(\.rawValue))) { $0.text.flatMap(Value.init(rawValue:)) }
    }
}

extension SettingKind {
    /// One or more of these keywords.
    public static func words<Word: RawRepresentable<String> & Hashable & Sendable>(_ words: [Word]) -> Self
    where Value == Set<Word> {
        .init(.words(words.map(\.rawValue))) { $0.list.map { Set($0.compactMap(Word.init(rawValue:))) } }
    }
}

extension SettingValue {
    /// The text, or `nil` for another kind of value.
    public var text: String? { if case .text(let text) = self { text } else { nil } }
    /// The list, or `nil` for another kind of value.
    public var list: [String]? { if case .list(let list) = self { list } else { nil } }
    /// The number of bytes, or `nil` for another kind of value.
    public var bytes: Int64? { if case .bytes(let bytes) = self { bytes } else { nil } }
}
