package main

import (
	"log/slog"
	"strings"
)

var logLevels = map[string]slog.Level{
	"trace": slog.LevelDebug, "debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError,
}

// logger writes to standard error what HEW_LOG asks for, and nothing without
// it. A level that is not known is taken for the most talkative one: somebody
// is looking for something.
func (a *app) logger() *slog.Logger {
	name := a.env["HEW_LOG"]
	if name == "" || strings.EqualFold(name, "off") {
		return slog.New(slog.DiscardHandler)
	}
	level, ok := logLevels[strings.ToLower(name)]
	if !ok {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: level}))
}
