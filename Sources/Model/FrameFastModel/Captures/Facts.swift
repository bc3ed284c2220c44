/// What is known of something, for programs, addresses and headers.
public typealias Facts = [FactName: String]

extension Facts {
    /// Of a photo.
    ///
    /// - Parameter name: Where it goes, or where it is below the capture directory.
    public init(_ photo: Photo, name: String) {
        self.init()
        for fact in FactName.allCases { self[fact] = fact.text(of: photo) }
        self[.name] = name
    }

    /// Of an upload, without its photo.
    public init(_ job: UploadJob) {
        self = [
            .capture: job.captureID.description, .job: job.id.description,
            .destination: job.destination.rawValue, .name: job.delivery?.remoteName ?? job.remoteName,
        ]
        self[.evidence] = job.delivery?.evidence
        self[.sentence] = job.sentence
        self[.nextStep] = job.nextStep
    }

    /// Of a camera.
    public init(_ camera: CameraStatus) {
        self = [.camera: camera.name, .cameraID: camera.id.rawValue, .state: camera.state.rawValue]
        self[.maker] = camera.facts?.maker
        self[.model] = camera.facts?.model
        self[.serial] = camera.facts?.serial
    }

    /// Of a condition.
    public init(_ condition: Condition) {
        self = [
            .code: condition.code, .severity: condition.severity.rawValue,
            .subject: condition.subject?.text ?? "", .sentence: condition.sentence,
            .nextStep: condition.nextStep,
        ]
    }

    /// By their names, for what knows nothing of photos.
    public var byName: [String: String] { .init(uniqueKeysWithValues: map { ($0.key.rawValue, $0.value) }) }

    /// Stands before the name of a field, in large letters, among the names of facts: `FIELD_JOB`.
    public static let fieldPrefix = "FIELD_"

    /// By their names, with the fields of the photo.
    public func byName(with fields: FieldTexts) -> [String: String] {
        fields.reduce(into: byName) { $0[Self.fieldPrefix + $1.key.rawValue.uppercased()] = $1.value }
    }
}
