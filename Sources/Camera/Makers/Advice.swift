public import FrameFastModel

/// A text for users, with the source of its content.
public struct AdviceText: Codable, Hashable, Sendable {
    /// One sentence, or one step in the imperative.
    public let text: String
    /// The source of the content.
    public let confidence: Confidence
}

/// Preparation steps for some models of a maker.
public struct StepGroup: Codable, Hashable, Sendable {
    /// The models as text for users, for example "A7 III, A9, A6400 (2017 to 2020)", or `nil` if the steps
    /// apply to all models.
    public let bodies: String?
    /// The model names, as reported by a connection or listed in the camera table. Case, spaces, hyphens and
    /// underscores are ignored in comparisons.
    public let models: [String]
    /// The steps, in order.
    public let steps: [AdviceText]

    /// Returns whether ``models`` contains `model`.
    func isFor(_ model: String) -> Bool {
        let name = ModelName.plain(model)
        return models.contains { ModelName.plain($0) == name }
    }
}

/// Advice for a maker's camera in one of its modes.
public struct ModeAdvice: Codable, Hashable, Sendable {
    /// The mode.
    public let mode: CameraMode
    /// FrameFast's action, or `nil` for the default action.
    public let action: DeviceAction?
    /// The condition to raise, or `nil` for the default: ``ConditionKind/wrongMode`` if the action is
    /// `leave`.
    public let condition: ConditionKind?
    /// The problem, in one sentence.
    public let says: AdviceText
    /// The steps to take if the camera's generation is unknown.
    public let steps: [AdviceText]
}

/// Advice for a condition.
public struct ConditionAdvice: Codable, Hashable, Sendable {
    /// The condition.
    public let condition: ConditionKind
    /// The problem, in one sentence.
    public let says: AdviceText
    /// The steps to solve the problem.
    public let steps: [AdviceText]
}

extension Guidance {
    /// Creates guidance from advice. The guidance is marked as usual if any text has the confidence
    /// ``Confidence/usual``.
    init(_ says: AdviceText, _ steps: [AdviceText]) {
        self.init(
            sentence: says.text, steps: steps.map(\.text),
            isUsual: ([says] + steps).contains { $0.confidence == .usual })
    }
}

/// Normalizes model names, which differ between sources: `ILCE-7M3`, `ILCE-7 M3`.
enum ModelName {
    /// Returns a name in lower case, without spaces, hyphens and underscores.
    static func plain(_ name: String) -> String {
        String(name.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" })
    }
}
