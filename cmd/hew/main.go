// Command hew keeps a host as its configuration says: it plans what differs,
// tells drift from change, and applies what was reviewed. See README.md for a
// start and `hew schema` for what can be declared.
//
// A command parses its flags, has the engine do the work, and hands the result
// to a view; nothing below this package prints.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"hew/cmd/release"
)

// version is linked into a release.
var version = release.Unknown

func main() {
	collectLate(environment(os.Environ()))
	version = release.This(version).Version
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		fmt.Fprintln(os.Stderr, "\nInterrupted: what is in flight is being finished, nothing new is begun. Interrupt again to quit at once.")
		cancel()
		<-signals
		fmt.Fprintln(os.Stderr, "\nQuit. The next run finds out what was done and finishes the rest.")
		os.Exit(1)
	}()
	os.Exit(run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}
