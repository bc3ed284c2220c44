import FrameFastAPI
import HummingbirdCore
import Identities
import Synchronization

/// The limit on full-size pictures that each device receives at the same time.
///
/// A full-size picture has up to 168 MB, and a device that reads slowly keeps the file open.
final class FullSizeLimiter: Sendable {
    /// One picture that is being sent. The picture counts until the last reference to the lease is released.
    final class Lease: Sendable {
        private let limiter: FullSizeLimiter
        private let device: WebDeviceID

        fileprivate init(_ limiter: FullSizeLimiter, _ device: WebDeviceID) {
            self.limiter = limiter
            self.device = device
        }

        deinit { limiter.release(device) }
    }

    private let counts = Mutex<[WebDeviceID: Int]>([:])

    /// Counts one more picture of a device, or returns `nil` if the device already receives
    /// ``WebServerLimits/fullSizeMax`` pictures.
    func lease(for device: WebDeviceID) -> Lease? {
        let isAllowed = counts.withLock { counts in
            guard counts[device, default: 0] < WebServerLimits.fullSizeMax else { return false }
            counts[device, default: 0] += 1
            return true
        }
        return isAllowed ? Lease(self, device) : nil
    }

    /// Returns the response, and counts its picture until the server has sent the response. A response
    /// without a body does not count.
    ///
    /// - Throws: The error for the device, if the device already receives too many pictures.
    func limited(_ response: Response, for device: WebDeviceID) throws(ControlError) -> Response {
        let body = response.body
        guard body.contentLength != 0 else { return response }
        guard let lease = self.lease(for: device) else {
            throw ControlError(
                .tooMany,
                "cannot send more than \(WebServerLimits.fullSizeMax) full-size photos to a device at once",
                nextStep: "Wait until the other photos are loaded.")
        }
        var limited = response
        limited.body = ResponseBody(contentLength: body.contentLength) { writer in
            defer { withExtendedLifetime(lease) {} }
            try await body.write(writer)
        }
        return limited
    }

    private func release(_ device: WebDeviceID) {
        counts.withLock { counts in
            let left = counts[device, default: 0] - 1
            counts[device] = left > 0 ? left : nil
        }
    }
}
