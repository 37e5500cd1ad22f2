package load

import (
	"context"
	"maps"
	"slices"
)

// lacked are the relations that this server knows and has no place for, and the parts of documents
// that it has none for, with what they are called in failures.
var lacked = map[string]string{
	"boards":                 "boards of issues",
	"project_badges":         "badges",
	"protected_environments": "protected environments",
	"service_desk_setting":   "names of mail to the project",
	"designs":                "designs",
	"zoom_meetings":          "calls that issues link to",
	"sentry_issue":           "errors of other services that issues are about",
}

// Lacked returns the reason for the failure of a relation that is not stored.
func Lacked(relation string) error {
	if what := lacked[relation]; what != "" {
		return unknown(what + " are not imported: this server has none")
	}
	return unknown("unknown relation: it is not imported")
}

// lack notes down that documents have so many parts that have no place here.
func (b *batch) lack(part string, n int) {
	if n > 0 {
		b.lacking[part] = true
	}
}

// failLacking makes each part that has no place here a failure, once in an import.
func (b *batch) failLacking(ctx context.Context) error {
	for _, part := range slices.Sorted(maps.Keys(b.lacking)) {
		if b.done[failureName(part)] > 0 {
			continue
		}
		if err := b.Mark(ctx, b.st, failureName(part), 1); err != nil {
			return err
		}
		b.failures = append(b.failures, failureOf(b.Task.ProjectID, part, 0, Lacked(part)))
	}
	return nil
}

// failureName is the checkpoint of a failure that an import has once.
func failureName(name string) string { return "failure of " + name }
