/// Instructions for a person, at the camera or at the computer.
public struct GuidanceReply: WireValue {
    /// The problem or the goal, as one sentence.
    public var sentence: String
    /// The steps, in order. The user interface numbers the steps.
    public var steps: [String]

    /// Creates guidance.
    public init(sentence: String, steps: [String] = []) {
        self.sentence = sentence
        self.steps = steps
    }
}
