import FrameFastModel
public import GRDB

// Makes identifiers usable as database values. GRDB decodes them as fast as plain values.

extension BodyID: DatabaseValueConvertible, StatementColumnConvertible {}
extension CameraID: DatabaseValueConvertible, StatementColumnConvertible {}
extension CaptureID: DatabaseValueConvertible, StatementColumnConvertible {}
extension ShotID: DatabaseValueConvertible, StatementColumnConvertible {}
extension JobID: DatabaseValueConvertible, StatementColumnConvertible {}
extension SessionID: DatabaseValueConvertible, StatementColumnConvertible {}
extension WebDeviceID: DatabaseValueConvertible, StatementColumnConvertible {}
extension DestinationName: DatabaseValueConvertible, StatementColumnConvertible {}
