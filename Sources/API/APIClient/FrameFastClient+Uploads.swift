import FoundationEssentials
public import FrameFastAPI

extension FrameFastClient {
    /// Longest silence while a destination is tested, in seconds: its own timeouts come first.
    public static let testTimeoutSeconds = 180

    /// Longest silence while files are cleared, in seconds: each is read before it goes.
    public static let clearTimeoutSeconds = 4 * 3600

    /// The places that photos go to.
    public func destinations() throws(ClientError) -> Answer<DestinationsReply> { try call(.destinations) }

    /// Uploads a probe to a destination and removes it.
    public func testDestination(_ name: String) throws(ClientError) -> Answer<DestinationTestReply> {
        var patient = self
        patient.timeoutSeconds = max(timeoutSeconds, Self.testTimeoutSeconds)
        return try patient.call(.destinationTest, name)
    }

    /// Pauses or resumes one destination.
    public func pauseDestination(
        _ name: String, _ isPaused: Bool
    ) throws(ClientError) -> Answer<DestinationReply> {
        try call(isPaused ? .destinationPause : .destinationResume, name)
    }

    /// Takes the folder that is there now for a destination.
    public func adoptDestination(_ name: String) throws(ClientError) -> Answer<DestinationReply> {
        try call(.destinationAdopt, name)
    }

    /// Pauses or resumes every destination.
    public func pauseUploads(_ isPaused: Bool) throws(ClientError) -> Answer<DestinationsReply> {
        try call(isPaused ? .uploadsPause : .uploadsResume)
    }

    /// A page of upload jobs, newest first.
    public func uploads(_ query: UploadsQuery = .init()) throws(ClientError) -> Answer<UploadsReply> {
        var pairs = [(name: "limit", value: String(query.limit))]
        if let cursor = query.cursor { pairs.append(("cursor", cursor)) }
        if !query.states.isEmpty {
            pairs.append(("state", query.states.map(\.rawValue).joined(separator: ",")))
        }
        if let destination = query.destination { pairs.append(("destination", destination)) }
        if let session = query.session { pairs.append(("session", String(session))) }
        if let camera = query.camera { pairs.append(("camera", camera)) }
        return try call(.uploads, query: pairs)
    }

    /// Tries failed and waiting uploads again, now.
    public func retryUploads(_ selection: UploadSelection) throws(ClientError) -> Answer<UploadChangeReply> {
        try call(.uploadsRetry, body: selection)
    }

    /// Keeps uploads back until they are released.
    public func holdUploads(_ selection: UploadSelection) throws(ClientError) -> Answer<UploadChangeReply> {
        try call(.uploadsHold, body: selection)
    }

    /// Lets held uploads go.
    public func releaseUploads(_ selection: UploadSelection) throws(ClientError) -> Answer<UploadChangeReply>
    {
        try call(.uploadsRelease, body: selection)
    }

    /// Forgets uploads that are not delivered.
    public func dropUploads(_ selection: UploadSelection) throws(ClientError) -> Answer<UploadChangeReply> {
        try call(.uploadsDrop, body: selection)
    }

    /// Sends photos to a destination, also late.
    public func addUploads(_ request: UploadAddRequest) throws(ClientError) -> Answer<UploadChangeReply> {
        try call(.uploadsAdd, body: request)
    }

    /// When photos are uploaded.
    public func mode() throws(ClientError) -> Answer<ModeReply> { try call(.mode) }

    /// Changes when photos are uploaded.
    public func setMode(_ request: ModeRequest) throws(ClientError) -> Answer<ModeReply> {
        try call(.modeSet, body: request)
    }

    /// The photos here, by how far their uploads are.
    public func storage() throws(ClientError) -> Answer<StorageSummaryReply> { try call(.storage) }

    /// Takes the disk that is there now for the capture directory.
    public func adoptStorage() throws(ClientError) -> Answer<DiskReply> { try call(.storageAdopt) }

    /// Removes files that are delivered everywhere.
    public func clearStorage(_ request: StorageClearRequest) throws(ClientError) -> Answer<StorageClearReply>
    {
        var patient = self
        patient.timeoutSeconds = max(timeoutSeconds, Self.clearTimeoutSeconds)
        return try patient.call(.storageClear, body: request)
    }

    /// Changes how long a session's photos are kept here; `nil` for what the configuration says.
    public func keepSession(_ id: Int64, _ keep: String?) throws(ClientError) -> Answer<SessionReply> {
        try call(.sessionKeep, String(id), body: SessionKeepRequest(keep: keep))
    }
}
