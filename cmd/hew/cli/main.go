// Package cli is the command line of hew, one file a command. A command parses its flags, lets the
// engine do the work, and hands the result to a view. Main is the whole program, so a build with
// kinds of its own is a main package of a few lines.
package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	_ "hew/cmd/hew/heap" // before the provider's kinds are built
	"hew/cmd/hew/session"
	"hew/cmd/hew/view"
	"hew/provider"
)

// Main runs hew with the arguments, the environment and the streams of this process, and returns
// its exit code. Version is the version of the build; kinds can be declared in addition to hew's
// own.
func Main(version string, kinds ...provider.Kind) int {
	offline, err := provider.New(nil, kinds...)
	if err != nil {
		fmt.Fprintf(os.Stderr, "Error: %v\n", err)
		return 1
	}
	env := environment(os.Environ())
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		fmt.Fprintln(os.Stderr, "\nInterrupted. Waiting for requests in flight; no new ones are sent. Interrupt "+
			"again to quit at once.")
		cancel()
		<-signals
		fmt.Fprintln(os.Stderr, "\nQuit. Run hew again: it finds out what was done and finishes the rest.")
		os.Exit(1)
	}()
	a := &app{Env: session.Env{Environ: env, Version: version, Offline: offline}, in: os.Stdin, out: os.Stdout,
		err: os.Stderr,
		now: time.Now, tty: view.IsTerminal, open: connect}
	return a.run(ctx, os.Args[1:])
}
