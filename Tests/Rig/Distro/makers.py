"""The makers whose cameras are simulated."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Maker:
    """A maker, with the changes of dials that only a person can make on the body."""

    name: str
    # The name of the maker for `framefast-simcam --maker`.
    simulator: str
    # Whether the driver can set the exposure mode. On other bodies, the user sets the mode with a dial or ring.
    sets_mode: bool = False
    # The dial settings before a change of exposure settings.
    exposure_dials: str = ""
    # The dial settings before a long exposure.
    bulb_dials: str = ""
    # The dial settings after a long exposure.
    normal_dials: str = ""
    # Whether the driver can move the focus.
    moves_focus: bool = False


MAKERS = {
    maker.name: maker
    for maker in (
        Maker("canon", "canon", sets_mode=True, bulb_dials="mode=M shutter=bulb", normal_dials="mode=M shutter=1/125",
              moves_focus=True),
        Maker("nikon", "nikon", exposure_dials="mode=M", bulb_dials="mode=M", normal_dials="shutter=1/125", moves_focus=True),
        Maker("sony", "sony", exposure_dials="mode=M", bulb_dials="shutter=bulb", normal_dials="shutter=1/125", moves_focus=True),
        Maker("fujifilm", "fuji", bulb_dials="shutter=bulb", normal_dials="shutter=1/125"),
        Maker("generic", "generic", sets_mode=True),
    )
}
