/// Endpoints for shots and their ratings. A shot is one photo, or a RAW file and its JPEG.
public struct ShotEndpoints: Sendable {
    /// Lists shots in pages, newest first, in a compact form.
    public let list = Endpoint<NoPath, ShotsQuery, ShotsReply>(
        .get, "/shots", .read, "Shots, newest first, in compact columns, page by page", errors: [.invalid])
    /// Returns one shot.
    public let get = Endpoint<ShotID, NoInput, ShotReply>(
        .get, "/shots/{id}", .read, "One shot, with its files and opinions", subject: "a shot with id")
    /// Replaces the caller's opinion about a shot.
    public let rate = Endpoint<ShotID, RatingRequest, ShotReply>(
        .post, "/shots/{id}/rating", .control, "Replace your opinion about a shot",
        subject: "a shot with id", errors: [.invalid])
    /// Returns a small picture of a shot, for a contact sheet.
    public let thumbnail = Endpoint<ShotID, ShotPictureQuery, ShotPicture>(
        shotPicture: "/shots/{id}/512", "Picture of a shot with at most 512 pixels a side")
    /// Returns a picture of a shot for the whole screen.
    public let screen = Endpoint<ShotID, ShotPictureQuery, ShotPicture>(
        shotPicture: "/shots/{id}/screen", "Picture of a shot with at most 2,048 pixels a side")
    /// Returns the JPEG of a shot, or the largest JPEG in its RAW file. The picture contains the camera's
    /// EXIF data.
    public let full = Endpoint<ShotID, ShotPictureQuery, ShotPicture>(
        shotPicture: "/shots/{id}/full",
        "JPEG of a shot, or the largest JPEG in its RAW file, with the camera's EXIF data")
    /// Returns the histogram of a shot's picture.
    public let histogram = Endpoint<ShotID, NoInput, HistogramReply>(
        .get, "/shots/{id}/histogram", .control, "Histogram of the picture of a shot",
        subject: "a shot with id", errors: [.unavailable])
}
