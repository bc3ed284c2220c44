extension Camera {
    /// How long late focus takes.
    private static let lateFocusMs: Int64 = 1_500
    /// Results of autofocus in its record. The driver reads no more of it than its kind.
    private static let focusFound: UInt32 = 1
    private static let focusNotFound: UInt32 = 2

    /// Whether a full press that needs focus may go on.
    func isCanonInFocus(at now: WallTime) -> Bool {
        guard canon.dials.isAutofocus else { return true }
        return switch canon.autofocus {
        case .finds: true
        case .fails: false
        case .findsLate: canon.lateFocus.map { now.hostMs >= $0.atMs } ?? false
        }
    }

    /// The lens looks for focus, and the display shows what comes of it, one state after the other, as in the traces that
    /// libgphoto2's ptp-pack.c tells of.
    ///
    /// - Parameter tellsResult: whether a record of its own tells the result as well.
    mutating func canonFocus(at now: WallTime, tellsResult: Bool = false) {
        guard canon.dials.isAutofocus else { return }
        emit(CanonOLC.event([.focus(0, 1)]))
        switch canon.autofocus {
        case .finds: canonFocused(tellsResult: tellsResult)
        case .fails:
            for last: UInt8 in [2, 0] { emit(CanonOLC.event([.focus(2, last)])) }
            if tellsResult { emit(CanonRecord.focusResult.event(Self.focusNotFound)) }
        case .findsLate:
            canon.lateFocus = .init(atMs: now.hostMs + Self.lateFocusMs, tellsResult: tellsResult)
        }
    }

    /// Autofocus by an operation of its own (0x9154).
    mutating func canonDriveAutofocus(at now: WallTime) -> PTPReply {
        canonFocus(at: now, tellsResult: true)
        return PTPReply(.ok)
    }

    /// Autofocus is called off (0x9160).
    mutating func canonCancelAutofocus() -> PTPReply {
        canon.lateFocus = nil
        emit(CanonOLC.event([.focus(0, 0)]))
        return PTPReply(.ok)
    }

    /// Tells of focus that was found since.
    mutating func tellLateFocus(at now: WallTime) {
        guard let late = canon.lateFocus, now.hostMs >= late.atMs, !late.isTold else { return }
        canon.lateFocus?.isTold = true
        canonFocused(tellsResult: late.tellsResult)
    }

    private mutating func canonFocused(tellsResult: Bool) {
        emit(CanonOLC.event([.focus(1, 1)]))
        if tellsResult { emit(CanonRecord.focusResult.event(Self.focusFound)) }
    }
}
