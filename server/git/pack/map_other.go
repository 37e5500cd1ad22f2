//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package pack

import (
	"errors"
	"os"
)

// mapFile fails: the file is read instead.
func mapFile(*os.File, int) ([]byte, error) { return nil, errors.ErrUnsupported }

func unmapFile([]byte) error { return nil }
