package post

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"hew/provider/client"
)

// The issue of a configuration is identified by a hidden line in its description, among the issues
// with hew's label. People may change anything else about it.
const (
	issueLabel = "hew-drift"
	issues     = "projects/{project}/issues"
	oneIssue   = issues + "/{issue}"
	markBytes  = 200 // the length of the line at most
)

// issueToken is the variable with the token for issues. HEW_TOKEN is used if it is not set.
const issueToken = "HEW_ISSUE_TOKEN"

// tracker writes the issues of one project, and nothing else.
type tracker struct {
	*poster
	project string
}

// issue is an issue as the host lists it.
type issue struct {
	IID         int64    `json:"iid"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	State       string   `json:"state"`
	Labels      []string `json:"labels"`
}

// opened reports whether the issue is open.
func (i *issue) opened() bool { return i.State != "closed" }

func (e Env) tracker(project string, n news) (*tracker, error) {
	if !e.namesHost(n.host) {
		return nil, fmt.Errorf("the environment does not name the host %s, and hew sends no token to a host that only "+
			"the configuration names, because a change of it could take the token. Set HEW_URL to the host", n.host)
	}
	made, err := e.poster(posting{
		what: "issues of " + project, missing: fmt.Sprintf("The project %s does not exist, the token cannot see "+
			"it, or its issues are disabled", project), token: issueToken,
		writes: []string{http.MethodPost + " " + issues, http.MethodPut + " " + oneIssue},
	}, n.host, true)
	return &tracker{made, project}, err
}

// updateIssue creates the issue at the first drift, updates its text, closes it when there is no
// drift any more, and reopens it when there is drift again.
func (e Env) updateIssue(ctx context.Context, project string, n news) error {
	t, err := e.tracker(project, n)
	if err != nil {
		return err
	}
	s := signature{command: "drift", key: n.fingerprint}
	found, err := t.find(ctx, s)
	if err != nil {
		return err
	}
	description := n.document + "\n" + s.String() + "\n"
	change := map[string]any{}
	switch {
	case found == nil && n.drift:
		return t.create(ctx, map[string]any{"title": n.title(), "description": description, "labels": issueLabel})
	case found == nil:
		return nil
	case !n.drift && found.opened():
		change["state_event"] = "close"
	case n.drift:
		if !found.opened() {
			change["state_event"] = "reopen"
		}
		if !sameText(found.Description, description) {
			change["description"] = description
		}
	}
	if len(change) == 0 {
		return nil
	}
	return t.change(ctx, found.IID, change)
}

// title returns the title of a new issue.
func (n news) title() string {
	title := []rune("Drift of " + n.subject)
	return string(title[:min(len(title), 255)])
}

// find returns the issue with the signature, or nil. Of several it returns an open one, then the
// newest.
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
		if !s.in(i.Description) || found != nil &&
			(found.opened() && !i.opened() || found.opened() == i.opened() && found.IID > i.IID) {
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
