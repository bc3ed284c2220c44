import UploadEngine

/// Modification times: each copy gets the photo's capture time.
extension SFTPUpload {
    /// Returns the request that sets the time, or an empty array if the server refuses such requests.
    /// Protocol version 3 supports times from 1970 to 2106.
    func timeRequest(_ handle: [UInt8]) -> [SFTPRequest] {
        guard memory.offers(.modificationTime), let seconds = UInt32(exactly: photo.capturedAt) else {
            return []
        }
        return [.setTime(handle: handle, seconds: seconds)]
    }

    /// Waits for the reply, and records a refusal. After a refusal, the copy keeps the time of its upload.
    func learnTime(_ asked: SFTPPending) async throws(SFTPError) {
        do throws(SFTPError) { try await asked.ok() } catch {
            guard case .status(_, let text) = error else { throw error }
            await memory.learn(.modificationTime, isOffered: false, reason: text)
        }
    }
}
