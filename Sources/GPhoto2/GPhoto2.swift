// Placeholder until the room's first type lands.
