// Command hew keeps a host as its configuration says: it plans what differs,
// tells drift from change, and applies what was reviewed. See README.md for a
// start and `hew schema` for what can be declared.
package main

import (
	"os"

	"hew/cmd/hew/cli"
	"hew/cmd/release"
)

// The reference and the manual are part of the repository, where people find
// them without building anything. verify fails where they are stale.
//
//go:generate go run . docs -out=reference
//go:generate go run . docs -man -out=man

// version is linked into a release.
var version = release.Unknown

func main() { os.Exit(cli.Main(release.Current(version).Version)) }
