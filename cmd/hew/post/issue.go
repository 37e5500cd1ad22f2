package post

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"hew/provider/client"
)

// The issue of a configuration is known by a line in its description that nobody
// sees, among those with hew's label. People may change anything else about it.
const (
	issueLabel = "hew-drift"
	issues     = "projects/{project}/issues"
	oneIssue   = issues + "/{issue}"
	markBytes  = 200 // that the line takes, at most
)

// issueToken is the token that issues are written with; where there is none, the
// one that hew signs in with serves, if it may write.
const issueToken = "HEW_ISSUE_TOKEN"

// tracker writes the issues of one project, and nothing else.
type tracker struct {
	*poster
	project string
}

// issue is what there is to know of one.
type issue struct {
	IID         int64    `json:"iid"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	State       string   `json:"state"`
	Labels      []string `json:"labels"`
}

// opened tells whether anybody still has to look at it.
func (i *issue) opened() bool { return i.State != "closed" }

func (e Env) tracker(project string, n news) (*tracker, error) {
	made, err := e.poster(posting{
		what: "issues of " + project, missing: fmt.Sprintf("There is no project %s, the token may not see it, or its issues are switched off", project), token: issueToken,
		writes: []string{http.MethodPost + " " + issues, http.MethodPut + " " + oneIssue},
	}, n.host, true)
	return &tracker{made, project}, err
}

// keepIssue has the issue say what there is: it is created when there is drift
// for the first time, changed where it says something else, closed when there is
// none, and opened again when there is.
func (e Env) keepIssue(ctx context.Context, project string, n news) error {
	t, err := e.tracker(project, n)
	if err != nil {
		return err
	}
	s := signature{command: "drift", key: n.fingerprint}
	there, err := t.find(ctx, s)
	if err != nil {
		return err
	}
	description := n.document + "\n" + s.String() + "\n"
	change := map[string]any{}
	switch {
	case there == nil && n.drift:
		return t.create(ctx, map[string]any{"title": n.title(), "description": description, "labels": issueLabel})
	case there == nil:
		return nil
	case !n.drift && there.opened():
		change["state_event"] = "close"
	case n.drift:
		if !there.opened() {
			change["state_event"] = "reopen"
		}
		if !sameText(there.Description, description) {
			change["description"] = description
		}
	}
	if len(change) == 0 {
		return nil
	}
	return t.change(ctx, there.IID, change)
}

// title is what an issue is called at first.
func (n news) title() string {
	title := []rune("Drift of " + n.subject)
	return string(title[:min(len(title), 255)])
}

// find returns the issue with the signature, an open one if there are several, else
// the newest; nil where there is none.
func (t *tracker) find(ctx context.Context, s signature) (found *issue, err error) {
	query := url.Values{"labels": {issueLabel}, "state": {"all"}, "scope": {"all"}}
	l, err := t.List(ctx, client.To(issues, t.project), query)
	if err != nil {
		return nil, t.explain(err)
	}
	for i, err := range client.Items[issue](l) {
		if err != nil {
			return nil, t.explain(err)
		}
		if !s.in(i.Description) || found != nil && (found.opened() && !i.opened() || found.opened() == i.opened() && found.IID > i.IID) {
			continue
		}
		found = &i
	}
	return found, nil
}

func (t *tracker) create(ctx context.Context, body map[string]any) error {
	_, err := t.Post(ctx, client.To(issues, t.project), body, nil)
	return t.explain(err)
}

func (t *tracker) change(ctx context.Context, iid int64, body map[string]any) error {
	_, err := t.Put(ctx, client.To(oneIssue, t.project, iid), body, nil)
	return t.explain(err)
}
