package config

import "fmt"

// Text is a file as it was read, its secrets included: for rewriting it, never
// for showing it. Line ends are plain, and there is no byte order mark.
func (c *Config) Text(name string) []byte { return c.files[name] }

// Shared says why what a block states counts for more than one object, or may
// with other values of variables. It is "" where it stands for one alone.
func (c *Config) Shared(b *Block) string {
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
