package main

import (
	"fmt"
	"io"
	"log/slog"
)

var logLevels = map[string]slog.Level{
	"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError,
}

// newLogger returns a log that writes records of the level and above to out, as text or JSON.
func newLogger(format, level string, out io.Writer) (*slog.Logger, error) {
	least, ok := logLevels[level]
	if !ok {
		return nil, fmt.Errorf("invalid log level %q: "+
			"set --log-level or HEWD_LOG_LEVEL to debug, info, warn or error", level)
	}
	options := &slog.HandlerOptions{Level: least}
	switch format {
	case "text":
		return slog.New(slog.NewTextHandler(out, options)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(out, options)), nil
	}
	return nil, fmt.Errorf("invalid log format %q: set --log-format or HEWD_LOG_FORMAT to text or json", format)
}
