/// A problem and the steps that solve it. A person performs the steps on the camera or on the computer.
public struct Guidance: Codable, Hashable, Sendable {
    /// The problem, as one sentence.
    public var sentence: String
    /// The steps, in order and without numbers. May be empty.
    public var steps: [String]
    /// Whether the text describes behavior that is common, but not verified for this model. The text then
    /// contains the word "usually".
    public var isUsual: Bool

    /// Creates guidance.
    public init(sentence: String, steps: [String] = [], isUsual: Bool = false) {
        self.sentence = sentence
        self.steps = steps
        self.isUsual = isUsual
    }
}
