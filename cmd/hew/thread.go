package main

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
	notes   = "projects/{project}/merge_requests/{request}/notes"
	oneNote = notes + "/{note}"
)

// thread writes notes of one merge request, and nothing else.
type thread struct {
	client  *client.Client
	project string
	request int64
	me      int64 // whose token it is
}

// note is what there is to know of one.
type note struct {
	ID     int64  `json:"id"`
	Body   string `json:"body"`
	System bool   `json:"system"`
	Author struct {
		ID int64 `json:"id"`
	} `json:"author"`
}

// noteWrites are all that the client of a thread sends beside reads.
var noteWrites = []string{http.MethodPost + " " + notes, http.MethodPut + " " + oneNote, http.MethodDelete + " " + oneNote}

// attempts is how often a note is looked for that is gone by the time it is
// written.
const attempts = 3

// keep has the thread say a text in one note, which its mark tells from others:
// the first of the token's own user that has it. Runs at the same time may create
// one each; the lowest id is what all of them see in the end, and the others, which
// are hew's own, are deleted.
func (t *thread) keep(ctx context.Context, mark, text string) (err error) {
	var user struct{ ID int64 }
	if _, err := t.client.Get(ctx, client.To("user"), nil, &user); err != nil {
		return t.explain(err)
	}
	t.me = user.ID
	for range attempts {
		if err = t.settle(ctx, mark, text); !client.IsNotFound(err) {
			break
		}
	}
	return t.explain(err)
}

func (t *thread) settle(ctx context.Context, mark, text string) error {
	mine, err := t.mine(ctx, mark)
	if err != nil {
		return err
	}
	if len(mine) == 0 {
		_, lost := t.client.Post(ctx, client.To(notes, t.project, t.request), map[string]any{"body": text}, nil)
		if lost != nil && !client.IsUnknown(lost) {
			return lost
		}
		if mine, err = t.mine(ctx, mark); err != nil {
			return err
		}
		if len(mine) == 0 {
			return cmp.Or(lost, errors.New("it was created, and the host does not list it"))
		}
	}
	if !sameText(mine[0].Body, text) {
		if _, err := t.client.Put(ctx, client.To(oneNote, t.project, t.request, mine[0].ID), map[string]any{"body": text}, nil); err != nil {
			return err
		}
	}
	for _, n := range mine[1:] {
		_, err := t.client.Delete(ctx, client.To(oneNote, t.project, t.request, n.ID), nil, nil)
		if err != nil && !client.IsNotFound(err) { // another run was first
			return err
		}
	}
	return nil
}

// mine are the notes with the mark that the token's own user wrote, the first of
// them first. What others have copied is theirs.
func (t *thread) mine(ctx context.Context, mark string) (found []note, err error) {
	l, err := t.client.List(ctx, client.To(notes, t.project, t.request), url.Values{"sort": {"asc"}, "order_by": {"created_at"}})
	if err != nil {
		return nil, err
	}
	seen := map[int64]bool{}
	for n, err := range client.Items[note](l) {
		if err != nil {
			return nil, err
		}
		if n.Author.ID == t.me && !n.System && !seen[n.ID] && marked(n.Body, mark) {
			seen[n.ID] = true
			found = append(found, n)
		}
	}
	slices.SortFunc(found, func(x, y note) int { return cmp.Compare(x.ID, y.ID) })
	return found, nil
}

func (t *thread) explain(err error) error {
	at := fmt.Sprintf("%s!%d", t.project, t.request)
	switch {
	case client.IsNotFound(err):
		return fmt.Errorf("%w. There is no merge request %s, or the token may not see it", err, at)
	case client.IsForbidden(err) || client.IsUnauthorized(err):
		return fmt.Errorf("%w. A token that may write notes on %s, with the scope api, goes into %s", err, at, commentToken)
	}
	return err
}
