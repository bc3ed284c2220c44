/// A property of an EOS: its value and its allowed values.
struct CanonSetting: Hashable, Sendable {
    var value: CanonValue
    var choices: CanonChoices
    /// Whether clients can set the property at all. A property that the mode controls stays writable, but its
    /// list is empty.
    var isWritable: Bool

    /// Returns a read-only number.
    static func readOnly(_ number: UInt32) -> CanonSetting {
        CanonSetting(value: .number(number), choices: .none(isText: false), isWritable: false)
    }

    /// Returns a number with a list of allowed values.
    static func choice(_ number: UInt32, of numbers: [UInt32]) -> CanonSetting {
        CanonSetting(value: .number(number), choices: .list(numbers.map(CanonValue.number)), isWritable: true)
    }

    func allows(_ value: CanonValue) -> Bool {
        guard case .list(let values) = choices else { return true }
        return values.contains(value)
    }
}
