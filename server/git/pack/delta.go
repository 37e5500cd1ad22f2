package pack

import (
	"errors"
	"fmt"
)

var errDelta = errors.New("the delta is malformed")

// readDeltaSizes reads the sizes at the start of a delta: of the base that it changes, and of the
// result.
func readDeltaSizes(delta []byte) (base, result int64, rest []byte, err error) {
	base, delta, ok := readSize(delta)
	if !ok {
		return 0, 0, nil, errDelta
	}
	result, delta, ok = readSize(delta)
	if !ok {
		return 0, 0, nil, errDelta
	}
	return base, result, delta, nil
}

// readSize reads a number of seven bits a byte, the lowest first.
func readSize(data []byte) (n int64, rest []byte, ok bool) {
	for i, b := range data {
		if i > 8 {
			return 0, nil, false
		}
		n |= int64(b&0x7f) << (7 * i)
		if b&0x80 == 0 {
			return n, data[i+1:], true
		}
	}
	return 0, nil, false
}

// applyDelta returns what a delta makes of its base. It fails, before it takes memory, if the
// result has more than limit bytes.
func applyDelta(base, delta []byte, limit int64) ([]byte, error) {
	baseSize, size, delta, err := readDeltaSizes(delta)
	switch {
	case err != nil:
		return nil, err
	case baseSize != int64(len(base)):
		return nil, fmt.Errorf("the delta is for a base of %d bytes instead of %d", baseSize, len(base))
	case size > limit:
		return nil, tooLarge(size, limit)
	}
	// A byte of a delta adds less than 16 MiB, and a copy no more than the base: a short delta
	// cannot claim much.
	if size > int64(len(delta))*max(min(baseSize, 1<<24), 0x7f) {
		return nil, errDelta
	}
	result := make([]byte, 0, size)
	for len(delta) > 0 {
		op := delta[0]
		delta = delta[1:]
		var part []byte
		switch {
		case op&0x80 != 0:
			var ok bool
			if part, delta, ok = readCopy(base, op, delta); !ok {
				return nil, errDelta
			}
		case op == 0 || int(op) > len(delta):
			return nil, errDelta
		default:
			part, delta = delta[:op], delta[op:]
		}
		if len(part) > cap(result)-len(result) {
			return nil, errDelta
		}
		result = append(result, part...)
	}
	if int64(len(result)) != size {
		return nil, errDelta
	}
	return result, nil
}

// readCopy reads the operands of a copy: the bits of op say which bytes of offset and size follow.
func readCopy(base []byte, op byte, delta []byte) (part, rest []byte, ok bool) {
	var offset, size int64
	for bit := range 7 {
		if op&(1<<bit) == 0 {
			continue
		}
		if len(delta) == 0 {
			return nil, nil, false
		}
		if bit < 4 {
			offset |= int64(delta[0]) << (8 * bit)
		} else {
			size |= int64(delta[0]) << (8 * (bit - 4))
		}
		delta = delta[1:]
	}
	if size == 0 {
		size = 0x10000
	}
	if offset+size > int64(len(base)) {
		return nil, nil, false
	}
	return base[offset : offset+size], delta, true
}
