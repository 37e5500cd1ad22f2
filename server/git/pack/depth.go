package pack

import (
	"slices"
)

// CheckDepth fails if an object cannot be read because its chain of deltas is too long. It looks at
// each entry once, without its content. Bases in other packs end a chain.
func (p *Pack) CheckDepth() error {
	if err := p.acquire(); err != nil {
		return err
	}
	defer p.release()
	offsets := make([]int64, p.index.count)
	for i := range offsets {
		offsets[i], _ = p.index.offset(i)
	}
	slices.Sort(offsets)
	depths := make([]uint16, len(offsets)) // 1 + the number of deltas; 0 is not known yet
	var chain []int
	for i := range offsets {
		depth := uint16(0)
		for at := i; ; {
			if depth = depths[at]; depth > 0 {
				break
			}
			if chain = append(chain, at); len(chain) > maxDepth+1 {
				return errDepth
			}
			e, err := p.readEntry(offsets[at])
			if err != nil {
				return err
			}
			if !e.isDelta() {
				break
			}
			base, here := p.findBase(e)
			next, found := slices.BinarySearch(offsets, base)
			if !here || !found {
				break
			}
			at = next
		}
		for _, at := range slices.Backward(chain) {
			if depth++; depth > maxDepth+1 {
				return errDepth
			}
			depths[at] = depth
		}
		chain = chain[:0]
	}
	return nil
}
