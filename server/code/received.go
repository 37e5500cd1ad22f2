package code

import (
	"errors"
	"fmt"

	"hew/server/git/pack"
)

const (
	// tolerated are mistakes of old versions of git, which many repositories still have.
	tolerated = "zeroPaddedFilemode=ignore,badTimezone=ignore,missingSpaceBeforeDate=ignore"
	// allocLimit keeps git from taking more memory at once, such as for what a small delta claims
	// to make. Larger files are streamed, and git makes no deltas of them.
	allocLimit = "GIT_ALLOC_LIMIT=1g"
)

// openReceived opens a pack that git has checked. It refuses one with objects that cannot be read
// later.
func openReceived(name string, bases *pack.Cache) (*pack.Pack, error) {
	p, err := pack.Open(name+".pack", name+".idx", pack.WithCache(bases))
	if err != nil {
		return nil, err
	}
	if err := p.CheckDepth(); err != nil {
		return nil, errors.Join(badPack(fmt.Sprintf("the pack cannot be read: %v", err)), p.Close())
	}
	return p, nil
}
