package nuget

import "io"

// Package is an uploaded package: what it says of itself, and its files.
type Package struct {
	Manifest Manifest

	*Archive
}

// ReadPackage opens the archive of a package of so many bytes and reads its manifest. The error
// wraps a [Problem] unless r failed.
func ReadPackage(r io.ReaderAt, size int64) (Package, error) {
	a, err := OpenArchive(r, size)
	if err != nil {
		return Package{}, err
	}
	m, err := a.Manifest()
	if err != nil {
		return Package{}, err
	}
	return Package{Manifest: m, Archive: a}, nil
}
