package config

import "fmt"

// RawSource returns a file as it was read, with secrets: for rewriting it, never for output. It
// has plain line endings and no byte order mark.
func (c *Config) RawSource(name string) []byte { return c.files[name] }

// SharedReason returns why a line of a block applies to more than one object, or may with other
// values of variables. It returns "" if it applies to one object only.
func (c *Config) SharedReason(b *Block) string {
	switch {
	case b.forEach != nil:
		return "the block has for_each, so this line applies to several objects"
	case b.count != nil:
		return "the block has count, so this line may apply to several objects"
	}
	for m := c.findModule(b.Addr.Module); m != nil && m.call != nil; m = m.parent {
		if m.call.keyed() {
			return fmt.Sprintf("%s has for_each or count, so this line applies to several objects", m.call)
		}
		for other := range c.root.all {
			if other != m && other.dir == m.dir {
				return fmt.Sprintf("%s and %s both call the module of this line", m.call, other.call)
			}
		}
	}
	return ""
}
