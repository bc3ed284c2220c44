import UploadEngine

/// The time of capture as the modification time of the copy.
extension SFTPUpload {
    /// The request that sets the time, or nothing if the server refuses it. Version 3 has times from 1970 to 2106.
    func timeRequest(_ handle: [UInt8]) -> [SFTPRequest] {
        guard memory.offers(.modificationTime), let seconds = UInt32(exactly: photo.capturedAt) else {
            return []
        }
        return [.setTime(handle: handle, seconds: seconds)]
    }

    /// Waits for the answer, and records a refusal. The photo keeps the time of its upload then.
    func learnTime(_ asked: SFTPPending) async throws(SFTPError) {
        do throws(SFTPError) { try await asked.ok() } catch {
            guard case .status(_, let text) = error else { throw error }
            await memory.learn(.modificationTime, isOffered: false, reason: text)
        }
    }
}
