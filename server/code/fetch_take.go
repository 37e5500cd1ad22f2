package code

import (
	"context"
	"fmt"

	"hew/server/fault"
	"hew/server/git/pack"
)

// take reads a pack on disk, whose name has no extension, and stores its content unless it is small.
// A limit of 0 bytes is none.
func (f *fetched) take(ctx context.Context, g *Git, name string, limit int64) error {
	p, err := pack.Open(name+".pack", name+".idx")
	if err != nil {
		return err
	}
	defer p.Close()
	if limit > 0 && p.Size() > limit {
		return fault.TooLarge().Because(fmt.Errorf(
			"the commits to fetch have %d bytes, more than the setting receive_max_input_size allows", p.Size()))
	}
	if p.Len() >= unpackObjects || p.Size() >= unpackBytes {
		files, err := storePack(ctx, g.st, name)
		f.pack = &files
		return err
	}
	for id := range p.IDs() {
		o, err := p.Read(id, maxObject)
		if err != nil {
			return err
		}
		f.small = append(f.small, o)
	}
	return nil
}
