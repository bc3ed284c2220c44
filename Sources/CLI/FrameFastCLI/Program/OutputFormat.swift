/// How to print. What depends on the format is decided here, so that a new one does not compile before each is.
enum OutputFormat: CaseIterable {
    case human, json, plain

    /// Whether a person reads it, who can be asked and told how far it is.
    var isForPeople: Bool {
        switch self {
        case .human, .plain: true
        case .json: false
        }
    }

    /// Whether a screen with keys may take its place.
    var mayBeScreen: Bool {
        switch self {
        case .human: true
        case .json, .plain: false
        }
    }

    /// The same for journalctl(1).
    var journalOptions: [String] {
        switch self {
        case .human: []
        case .json: ["--output=json"]
        case .plain: ["--output=short-iso", "--no-pager"]
        }
    }

    /// What is printed: the lines for people, full words, or the JSON.
    func lines(
        human: @autoclosure () -> [String], plain: @autoclosure () -> [String],
        json: @autoclosure () -> [String]
    ) -> [String] {
        switch self {
        case .human: human()
        case .json: json()
        case .plain: plain()
        }
    }
}
