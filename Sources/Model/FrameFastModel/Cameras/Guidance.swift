/// What a person should do, on the camera or on the computer.
public struct Guidance: Codable, Hashable, Sendable {
    /// One sentence: what is the matter.
    public var sentence: String
    /// What to do, in order; whoever shows them numbers them. May be empty.
    public var steps: [String]
    /// Whether a wording in here is common knowledge only; such texts say "usually" themselves.
    public var isUsual: Bool

    /// Creates guidance.
    public init(sentence: String, steps: [String] = [], isUsual: Bool = false) {
        self.sentence = sentence
        self.steps = steps
        self.isUsual = isUsual
    }
}
