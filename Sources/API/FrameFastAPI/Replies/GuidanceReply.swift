/// What a person should do at the camera or at the computer.
public struct GuidanceReply: WireValue {
    /// What is the matter, or what is to be reached, as one sentence.
    public var sentence: String
    /// What to do, in order; the view numbers them.
    public var steps: [String]

    /// Creates guidance.
    public init(sentence: String, steps: [String] = []) {
        self.sentence = sentence
        self.steps = steps
    }
}
