package integration

import (
	"context"
	"encoding/json"
	"slices"

	"hew/schema/catalogue"
	"hew/server/db"
	"hew/server/event"
	"hew/server/hook"
	"hew/server/integration/send"
	"hew/server/jobs"
)

// Event is what happened in a project, for its integrations.
type Event struct {
	Kind      string // the flag of hooks that get it: push_events; also alert_events
	Project   int64
	User      int64  // who caused it, if the kind shows a user beside the payload; 0: nobody
	Branch    string // empty: it is not on a branch
	Protected bool   // the branch is protected

	// Payloads returns what hooks are told, without project, user and repository. It is called only
	// if an integration wants the event.
	Payloads func() ([]json.RawMessage, error)
}

// Listeners returns what passes events of other domains to integrations: all that hooks of projects
// can get. A kind that is added to hooks is passed on, too.
func Listeners() []event.Listener {
	return []event.Listener{
		event.On(func(ctx context.Context, st *db.Store, e hook.Raised) error {
			return Raise(ctx, st, Event{e.Kind, e.Project, e.User, e.Branch, e.Protected, e.Payloads})
		}),
	}
}

// Raise enqueues, in the transaction of an event, a job for each active integration of the project
// that acts on the kind and whose flags select it.
func Raise(ctx context.Context, st *db.Store, e Event) error {
	slugs := send.Slugs(e.Kind)
	if len(slugs) == 0 {
		return nil
	}
	w := db.NewWhere(nil)
	w.And(`t.project_id = @project`, e.Project)
	w.And(`t.slug = any(@slugs)`, slugs)
	WhereActive(w)
	list, err := db.Many[Integration](ctx, st, selectIntegrations+w.String()+` order by t.id`, w.Args)
	list = slices.DeleteFunc(list, func(i Integration) bool { return !wants(i, e.Kind) })
	if err != nil || len(list) == 0 {
		return err
	}
	payloads, err := e.Payloads()
	if err != nil {
		return err
	}
	var args []jobs.Args
	for _, payload := range payloads {
		for _, i := range list {
			args = append(args, SendJob{
				Integration: i.ID, Event: e.Kind, Project: e.Project, User: e.User, Branch: e.Branch,
				Protected: e.Protected, Key: hook.NewUUID(), Payload: payload,
			})
		}
	}
	return jobs.Enqueue(ctx, st, args...)
}

// wants reports whether the flags of an integration select a kind of event.
func wants(i Integration, kind string) bool {
	of, _ := catalogue.IntegrationBySlug(i.Slug)
	name := send.Of(i.Slug).Flag(kind)
	n := slices.IndexFunc(of.Flags, func(f catalogue.Flag) bool { return f.Name == name })
	return n >= 0 && i.Flag(of.Flags[n])
}

// SendJob has an integration act on an event.
type SendJob struct {
	jobs.Repeated
	Integration int64           `json:"integration"`
	Event       string          `json:"event"`             // its kind
	Project     int64           `json:"project,omitempty"` // where it happened
	User        int64           `json:"user,omitempty"`    // who did it, if the event tells of a user
	Branch      string          `json:"branch,omitempty"`
	Protected   bool            `json:"protected,omitempty"`
	Key         string          `json:"key"` // a UUID
	Payload     json.RawMessage `json:"payload"`
}

// Kind returns the name of the job.
func (SendJob) Kind() string { return "send_integration" }
