// Package cli is the command line of hew. A command parses its flags, has the engine do the work, and hands the result
// to a view. Main is the whole program, so that a build with kinds of its own is a main package of a few lines.
package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"hew/cmd/hew/view"
	"hew/provider"
)

// Main runs hew with the arguments, the environment and the streams of this process, and returns its exit code. Version
// is that of the build; kinds are those that can be declared beside hew's own.
func Main(version string, kinds ...provider.Kind) int {
	offline, err := provider.New(nil, kinds...)
	if err != nil {
		fmt.Fprintf(os.Stderr, "Error: %v\n", err)
		return 1
	}
	env := environment(os.Environ())
	collectLate(env)
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
	a := &app{in: os.Stdin, out: os.Stdout, err: os.Stderr, env: env, now: time.Now, version: version, offline: offline, tty: view.IsTerminal, open: connect}
	return a.run(ctx, os.Args[1:])
}
