package config

// Conditioned tells whether the block has conditions that an apply holds its
// instances to: before they are written, and after.
func (b *Block) Conditioned() (before, after bool) { return len(b.before) > 0, b.verified != nil }
