package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"
)

// health asks the server that runs with the same settings. An image that holds nothing but hewd has no other program to
// ask with.
func health(getenv func(string) string) *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use:   "health",
		Short: "Tell by the exit code whether the server that listens here takes requests",
		Long: `Tell by the exit code whether the server that listens here takes requests: 0 if
it does, 1 if it is not there, still starting, stopping or without its database.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return ready(cmd.Context(), listen) },
	}
	environment{cmd, getenv}.text(&listen, "listen", "HEWD_LISTEN", "127.0.0.1:8080", "`address` that it listens on")
	return cmd
}

func ready(ctx context.Context, listen string) error {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return fmt.Errorf("--listen %q: %w", listen, err)
	}
	if ip := net.ParseIP(host); host == "" || ip.IsUnspecified() { // it listens on all of them
		host = "localhost"
	}
	ctx, cancel := context.WithTimeout(ctx, 4*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/-/readiness", nil)
	if err != nil {
		return err
	}
	// Without a proxy: it is next door.
	answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		return fmt.Errorf("the server cannot be asked: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the server is not ready: it answers %s", answer.Status)
	}
	return nil
}
