/// Values by fact name, for hooks, commands, URLs and headers.
public typealias Facts = [FactName: String]

extension Facts {
    /// Creates the facts of a photo.
    ///
    /// - Parameter name: The name at the destination, or the path relative to the capture directory.
    public init(_ photo: Photo, name: String) {
        self.init()
        for fact in FactName.allCases { self[fact] = fact.text(of: photo) }
        self[.name] = name
    }

    /// Creates the facts of an upload, without the other facts of its photo.
    public init(_ job: UploadJob) {
        self = [
            .capture: job.captureID.description, .job: job.id.description,
            .destination: job.destination.rawValue, .name: job.delivery?.remoteName ?? job.remoteName,
        ]
        self[.evidence] = job.delivery?.evidence
        self[.sentence] = job.sentence
        self[.nextStep] = job.nextStep
    }

    /// Creates the facts of a camera.
    public init(_ camera: CameraStatus) {
        self = [.camera: camera.name, .cameraID: camera.id.rawValue, .state: camera.state.rawValue]
        self[.maker] = camera.facts?.maker
        self[.model] = camera.facts?.model
        self[.serial] = camera.facts?.serial
    }

    /// Creates the facts of a condition.
    public init(_ condition: Condition) {
        self = [
            .code: condition.code, .severity: condition.severity.rawValue,
            .subject: condition.subject?.text ?? "", .sentence: condition.sentence,
            .nextStep: condition.nextStep,
        ]
    }

    /// The values by raw name, for modules that do not import ``FactName``.
    public var byName: [String: String] { .init(uniqueKeysWithValues: map { ($0.key.rawValue, $0.value) }) }
}
