// Command hewd serves the hosting service's REST API from Postgres.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	// A second signal ends us at once: the first one has asked politely.
	context.AfterFunc(ctx, stop)
	cmd := root(os.Getenv)
	cmd.SetArgs(doubled(cmd, os.Args[1:]))
	if err := cmd.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "hewd:", err)
		os.Exit(1)
	}
}
