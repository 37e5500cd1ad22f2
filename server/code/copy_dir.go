package code

import (
	"io"
	"os"
	"path/filepath"

	"hew/server/git/object"
)

// bareConfig makes git serve any object of a repository by its id: refs are ours to show. A pack
// that was received is content-addressed, and nobody else writes here.
const bareConfig = `[core]
	repositoryformatversion = 0
	bare = true
[uploadpack]
	allowAnySHA1InWant = true
	allowFilter = true
[pack]
	threads = 1
	writeBitmapLookupTable = false
[gc]
	auto = 0
`

// prepare makes the directory of the repository.
func (c *workCopy) prepare() error {
	if _, err := os.Stat(filepath.Join(c.dir, "HEAD")); err == nil {
		return nil
	}
	for _, dir := range []string{"objects/pack", "objects/info", "refs"} {
		if err := os.MkdirAll(filepath.Join(c.dir, dir), 0o700); err != nil {
			return err
		}
	}
	for name, text := range map[string]string{"config": bareConfig, "HEAD": "ref: refs/heads/main\n"} {
		if err := writeWhole(filepath.Join(c.dir, name), func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// size returns the size of an object in a pack that is on disk.
func (c *workCopy) size(id object.ID) (int64, bool, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	p := c.find(id)
	if p == nil {
		return 0, false, nil
	}
	_, size, err := p.Header(id)
	return size, err == nil, err
}
