extension CanonBody {
    /// The duration of a delayed focus operation, in milliseconds.
    private static let lateFocusMs: Int64 = 1_500
    /// The results of autofocus in the FocusResult record. The driver reads only the record's type.
    private static let focusFound: UInt32 = 1
    private static let focusNotFound: UInt32 = 2

    /// Returns whether the focus state permits a full press.
    func isInFocus(at now: WallTime) -> Bool {
        guard dials.isAutofocus else { return true }
        return switch autofocus {
        case .succeeds: true
        case .fails: false
        case .succeedsLate: lateFocus.map { now.hostMs >= $0.atMs } ?? false
        }
    }

    /// Starts autofocus. Reports each focus state in a display record (``CanonOLC``). The order follows the
    /// traces in libgphoto2's ptp-pack.c.
    ///
    /// - Parameter reportsResult: Whether to report the result in a FocusResult record, in addition to the
    ///   display records.
    mutating func startAutofocus(
        on camera: inout CameraCore, at now: WallTime, reportsResult: Bool = false
    ) {
        guard dials.isAutofocus else { return }
        camera.emit(CanonOLC.event([.focus(0, 1)]))
        switch autofocus {
        case .succeeds: reportFocus(on: &camera, reportsResult: reportsResult)
        case .fails:
            for last: UInt8 in [2, 0] { camera.emit(CanonOLC.event([.focus(2, last)])) }
            if reportsResult { camera.emit(CanonRecord.focusResult.event(Self.focusNotFound)) }
        case .succeedsLate:
            lateFocus = .init(atMs: now.hostMs + Self.lateFocusMs, reportsResult: reportsResult)
        }
    }

    /// Reports a delayed focus operation that has succeeded by now.
    mutating func reportLateFocus(on camera: inout CameraCore, at now: WallTime) {
        guard let late = lateFocus, now.hostMs >= late.atMs, !late.isReported else { return }
        lateFocus?.isReported = true
        reportFocus(on: &camera, reportsResult: late.reportsResult)
    }

    private func reportFocus(on camera: inout CameraCore, reportsResult: Bool) {
        camera.emit(CanonOLC.event([.focus(1, 1)]))
        if reportsResult { camera.emit(CanonRecord.focusResult.event(Self.focusFound)) }
    }
}
