import DesignTokens
import Vocabulary

/// The JavaScript module with the words that people see for states, and their tones. The terminal has the
/// same words.
enum WordsModule {
    /// The module. It exports `words`: words and tones by kind and state, and the titles of the upload modes.
    static let text = """
        export const words={\
        camera:{\(list(CameraState.allCases) { $0.badge })},\
        uploading:["\(uploading.word)","\(uploading.tone.word)"],\
        daemon:{\(list(DaemonState.allCases) { $0.badge })},\
        destination:{\(list(DestinationAvailability.allCases) { $0.badge })},\
        severity:{\(list(ConditionSeverity.allCases) { $0.badge })},\
        mode:{\(titles)}\
        };
        """

    private static let uploading = CaptureState.uploading.badge

    private static var titles: String {
        UploadMode.allCases.map { "\"\($0.rawValue)\":\"\($0.title)\"" }.joined(separator: ",")
    }

    private static func list<State: RawRepresentable<String>>(
        _ states: [State], _ badge: (State) -> (word: String, tone: Tone)
    ) -> String {
        states.map { state in
            let (word, tone) = badge(state)
            return "\(state.rawValue):[\"\(word)\",\"\(tone.word)\"]"
        }.joined(separator: ",")
    }
}
