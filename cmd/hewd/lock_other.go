//go:build !unix

package main

import "os"

// lockFile does nothing: Windows does not remove files that are open.
func lockFile(*os.File) error { return nil }
