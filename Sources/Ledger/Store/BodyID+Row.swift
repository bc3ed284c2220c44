import FrameFastModel
public import GRDB

/// Columns that say who a camera is.
extension BodyID: DatabaseValueConvertible {}
