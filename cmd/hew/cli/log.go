package cli

import (
	"log/slog"
	"strings"

	"hew/reconcile"
	"hew/reconcile/plan"
)

var logLevels = map[string]slog.Level{
	"trace": slog.LevelDebug, "debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn,
	"error": slog.LevelError,
}

// logger returns a logger to standard error at the level of HEW_LOG, or one that discards
// everything: info is about the progress of a run, debug about each request. An unknown level
// counts as debug, because somebody is looking for something.
func (a *app) logger() *slog.Logger {
	if !a.logging() {
		return slog.New(slog.DiscardHandler)
	}
	level, known := logLevels[strings.ToLower(a.Environ["HEW_LOG"])]
	if !known {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: level}))
}

// warnOfLogLevel logs that the level of HEW_LOG is unknown, if it is.
func (a *app) warnOfLogLevel() {
	level := a.Environ["HEW_LOG"]
	if _, known := logLevels[strings.ToLower(level)]; a.logging() && !known {
		a.Log.Warn("HEW_LOG is not a known level and counts as debug", "HEW_LOG", level,
			"levels", "off error warn info debug")
	}
}

// logging reports whether anything is logged.
func (a *app) logging() bool {
	return a.Environ["HEW_LOG"] != "" && !strings.EqualFold(a.Environ["HEW_LOG"], "off")
}

// logEvent logs a batch of reads as it begins, and a change as it ends.
func logEvent(log *slog.Logger, e reconcile.Event) {
	switch {
	case e.Phase == reconcile.PhaseRead:
		log.Info("reading", "collections_and_objects", e.Total-e.Done, "read_before", e.Done)
	case e.Ended && e.Err != nil:
		log.Warn("change failed", "address", e.Addr.String(), "action", e.Action.Name(), "error", e.Err)
	case e.Ended:
		log.Info("change", "address", e.Addr.String(), "action", e.Action.Name(), "done", e.Done, "of", e.Total)
	}
}

func logPlan(log *slog.Logger, p *plan.Plan) {
	log.Info("planned", "objects", p.Stats.Objects, "changes", p.Sends(), "blocked", len(p.Blocked), "guards",
		len(p.Guards),
		"requests", p.Stats.Requests, "seconds", p.Stats.Seconds)
}
