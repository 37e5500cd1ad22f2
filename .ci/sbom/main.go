// Command sbom prints the software bill of materials of a binary: go run ./.ci/sbom VERSION FILE. A
// release has one beside each archive (.ci/dist).
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"hew/cmd/release"
)

func main() {
	if len(os.Args) != 3 {
		fail("usage: sbom VERSION FILE")
	}
	s, err := release.Describe(os.Args[2], os.Args[1])
	if err != nil {
		fail(err)
	}
	e := json.NewEncoder(os.Stdout)
	e.SetIndent("", "  ")
	if err := e.Encode(s); err != nil {
		fail(err)
	}
}

func fail(why any) {
	fmt.Fprintln(os.Stderr, "sbom:", why)
	os.Exit(1)
}
