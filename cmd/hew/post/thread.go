package post

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"hew/provider/client"
)

// The notes of a merge request.
const (
	allNotes = "projects/{project}/merge_requests/{request}/notes"
	oneNote  = allNotes + "/{note}"
)

// thread writes notes on one merge request, and nothing else.
type thread struct {
	*poster
	project string
	request int64
	me      int64 // the id of the user of the token
}

func (t *thread) name() string { return fmt.Sprintf("%s!%d", t.project, t.request) }

func (t *thread) posting() posting {
	return posting{
		what: "notes on " + t.name(), missing: fmt.Sprintf("The merge request %s does not exist, or the token "+
			"cannot see it", t.name()), token: commentToken,
		writes: []string{http.MethodPost + " " + allNotes, http.MethodPut + " " + oneNote,
			http.MethodDelete + " " + oneNote},
	}
}

// note is a note as the host lists it.
type note struct {
	ID     int64  `json:"id"`
	Body   string `json:"body"`
	System bool   `json:"system"`
	Author struct {
		ID int64 `json:"id"`
	} `json:"author"`

	run int64 // the pipeline that wrote it last
}

// attempts is how often a write is tried if the note was deleted after it was read.
const attempts = 3

// writeNote writes a text to one note, the first note of the token's user with the signature.
// Concurrent runs may create several; all of them keep the one with the lowest id and delete the
// others. A note that a newer pipeline has written stays, and writeNote returns the id of that
// pipeline.
func (t *thread) writeNote(ctx context.Context, s signature, text string) (newer int64, err error) {
	var user struct{ ID int64 }
	if _, err := t.Get(ctx, client.To("user"), nil, &user); err != nil {
		return 0, t.explain(err)
	}
	t.me = user.ID
	for range attempts {
		if newer, err = t.writeOnce(ctx, s, text); !client.IsNotFound(err) {
			break
		}
	}
	return newer, t.explain(err)
}

func (t *thread) writeOnce(ctx context.Context, s signature, text string) (newer int64, err error) {
	mine, err := t.mine(ctx, s)
	if err != nil {
		return 0, err
	}
	if len(mine) == 0 {
		_, lost := t.Post(ctx, client.To(allNotes, t.project, t.request), map[string]any{"body": text}, nil)
		if lost != nil && !client.IsUnknown(lost) {
			return 0, lost
		}
		if mine, err = t.mine(ctx, s); err != nil {
			return 0, err
		}
		if len(mine) == 0 {
			return 0, cmp.Or(lost, errors.New("it was created, but the host does not list it"))
		}
	}
	for _, n := range mine {
		if s.before(n.run) {
			newer = max(newer, n.run)
		}
	}
	if newer == 0 && !sameText(mine[0].Body, text) {
		if _, err := t.Put(ctx, client.To(oneNote, t.project, t.request, mine[0].ID), map[string]any{"body": text},
			nil); err != nil {
			return 0, err
		}
	}
	for _, n := range mine[1:] {
		if s.before(n.run) {
			continue // the newer run deletes it
		}
		_, err := t.Delete(ctx, client.To(oneNote, t.project, t.request, n.ID), nil, nil)
		if err != nil && !client.IsNotFound(err) { // another run has deleted it
			return 0, err
		}
	}
	return newer, nil
}

// mine returns the notes with the signature that the token's user wrote, the oldest first. Copies
// by other users do not count.
func (t *thread) mine(ctx context.Context, s signature) (found []note, err error) {
	l, err := t.List(ctx, client.To(allNotes, t.project, t.request), url.Values{"sort": {"asc"},
		"order_by": {"created_at"}})
	if err != nil {
		return nil, err
	}
	seen := map[int64]bool{}
	for n, err := range client.Items[note](l) {
		if err != nil {
			return nil, err
		}
		run, ours := s.on(n.Body)
		if n.Author.ID == t.me && !n.System && !seen[n.ID] && ours {
			n.run, seen[n.ID] = run, true
			found = append(found, n)
		}
	}
	slices.SortFunc(found, func(x, y note) int { return cmp.Compare(x.ID, y.ID) })
	return found, nil
}
