import FrameFastModel
public import GRDB

// Columns that say who or what something is. Read from a statement as fast as the plain values that they are.

extension BodyID: DatabaseValueConvertible, StatementColumnConvertible {}
extension CameraID: DatabaseValueConvertible, StatementColumnConvertible {}
extension CaptureID: DatabaseValueConvertible, StatementColumnConvertible {}
extension GroupShotID: DatabaseValueConvertible, StatementColumnConvertible {}
extension ShotID: DatabaseValueConvertible, StatementColumnConvertible {}
extension JobID: DatabaseValueConvertible, StatementColumnConvertible {}
extension SessionID: DatabaseValueConvertible, StatementColumnConvertible {}
extension HistoryStepID: DatabaseValueConvertible, StatementColumnConvertible {}
extension Asker: DatabaseValueConvertible, StatementColumnConvertible {}
extension GroupName: DatabaseValueConvertible, StatementColumnConvertible {}
extension DestinationName: DatabaseValueConvertible, StatementColumnConvertible {}
extension FieldName: DatabaseValueConvertible, StatementColumnConvertible {}
