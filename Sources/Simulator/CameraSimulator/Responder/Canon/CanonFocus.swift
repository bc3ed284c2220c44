extension Camera {
    /// The duration of a delayed focus operation, in milliseconds.
    private static let lateFocusMs: Int64 = 1_500
    /// The results of autofocus in the FocusResult record. The driver reads only the record's type.
    private static let focusFound: UInt32 = 1
    private static let focusNotFound: UInt32 = 2

    /// Returns whether the focus state permits a full press.
    func isCanonInFocus(at now: WallTime) -> Bool {
        guard canon.dials.isAutofocus else { return true }
        return switch canon.autofocus {
        case .finds: true
        case .fails: false
        case .findsLate: canon.lateFocus.map { now.hostMs >= $0.atMs } ?? false
        }
    }

    /// Starts autofocus. The display reports each state, in the order of the traces that libgphoto2's
    /// ptp-pack.c mentions.
    ///
    /// - Parameter reportsResult: Whether to report the result in a FocusResult record, too.
    mutating func startCanonAutofocus(at now: WallTime, reportsResult: Bool = false) {
        guard canon.dials.isAutofocus else { return }
        emit(CanonOLC.event([.focus(0, 1)]))
        switch canon.autofocus {
        case .finds: reportCanonFocus(reportsResult: reportsResult)
        case .fails:
            for last: UInt8 in [2, 0] { emit(CanonOLC.event([.focus(2, last)])) }
            if reportsResult { emit(CanonRecord.focusResult.event(Self.focusNotFound)) }
        case .findsLate:
            canon.lateFocus = .init(atMs: now.hostMs + Self.lateFocusMs, reportsResult: reportsResult)
        }
    }

    /// Starts autofocus by its own operation (0x9154).
    mutating func canonDriveAutofocus(at now: WallTime) -> PTPReply {
        startCanonAutofocus(at: now, reportsResult: true)
        return PTPReply(.ok)
    }

    /// Cancels autofocus (0x9160).
    mutating func canonCancelAutofocus() -> PTPReply {
        canon.lateFocus = nil
        emit(CanonOLC.event([.focus(0, 0)]))
        return PTPReply(.ok)
    }

    /// Reports a delayed focus operation that has succeeded by now.
    mutating func reportLateFocus(at now: WallTime) {
        guard let late = canon.lateFocus, now.hostMs >= late.atMs, !late.isReported else { return }
        canon.lateFocus?.isReported = true
        reportCanonFocus(reportsResult: late.reportsResult)
    }

    private mutating func reportCanonFocus(reportsResult: Bool) {
        emit(CanonOLC.event([.focus(1, 1)]))
        if reportsResult { emit(CanonRecord.focusResult.event(Self.focusFound)) }
    }
}
