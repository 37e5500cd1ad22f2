package ci

import (
	"context"
	"strconv"
	"strings"

	"hew/server/ci/document"
	"hew/server/ci/expression"
	"hew/server/ci/status"
	"hew/server/code"
	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/merge"
	"hew/server/policy"
	"hew/server/protect"
	"hew/server/setting"
	"hew/server/tree"
)

// Listeners ask for pipelines of what is pushed, and of merge requests, and merge those that wait.
var Listeners = []event.Listener{event.On(onPushed), event.On(onRequestChanged), event.On(onEnded)}

// onEnded has merge requests that wait for a pipeline merged, or disarmed if it failed.
func onEnded(ctx context.Context, st *db.Store, e Changed) error {
	now := e.Pipeline.Status
	if now == e.Before || now != status.Success && now != status.Failed {
		return nil
	}
	return merge.PipelineEnded(ctx, st, e.Pipeline.ID)
}

// maxRefs is of how many refs of one push there are pipelines.
const maxRefs = 4

// onPushed asks for a pipeline of each branch and tag of a push.
func onPushed(ctx context.Context, st *db.Store, e code.Pushed) error {
	options, none := readPushOptions(e.By.Options)
	if e.By.Job || none { // a job that pushes must not start itself again
		return nil
	}
	by, err := pusherOf(ctx, st, e.By)
	if err != nil || by == 0 {
		return err
	}
	for _, c := range e.Changes[:min(len(e.Changes), maxRefs)] {
		isRef := strings.HasPrefix(c.Ref, code.Heads) || strings.HasPrefix(c.Ref, code.Tags)
		if c.After.IsZero() || !isRef {
			continue
		}
		if has, err := hasDefinition(ctx, st, e.Git, e.Project, c.Target); err != nil || !has {
			if err != nil {
				return err
			}
			continue
		}
		if err := (pipelineRequest{
			ProjectID: e.Project.ID, UserID: by, Ref: c.Ref, Commit: c.Target, Before: c.Before,
		}).store(ctx, st, options); err != nil {
			return err
		}
	}
	return nil
}

// pusherOf returns the id of the user whose pipelines a push makes: of a deploy key who made it; 0
// if there is nobody.
func pusherOf(ctx context.Context, st *db.Store, by code.Author) (int64, error) {
	if by.User.ID == 0 && by.DeployKeyID != 0 {
		return protect.DeployKeyCreator(ctx, st, by.DeployKeyID)
	}
	return by.User.ID, nil
}

// hasDefinition reports whether a commit may have pipelines: not where they are switched off, or if
// it lacks the file with the definition.
func hasDefinition(ctx context.Context, st *db.Store, g *code.Git, p tree.Project, id object.ID) (bool, error) {
	if p.Settings.BuildsAccess == string(policy.Disabled) || id.IsZero() {
		return false, nil
	}
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return false, err
	}
	path := configPath(p, settings)
	if include, _ := includeOf(path); include != nil {
		return true, nil
	}
	_, err = g.ReadSmallFile(ctx, id.String(), path, 0)
	return err == nil, fault.IgnoreNotFound(err)
}

// onRequestChanged asks for a pipeline of a merge request with a new head, and makes the merge
// request wait for the one that its head has already.
func onRequestChanged(ctx context.Context, st *db.Store, e merge.Changed) error {
	r := e.Request
	if !r.IsOpen() || r.Head.IsZero() || r.Head == e.Before.Head {
		return nil
	}
	if err := (updateHeads{RequestID: r.ID}).now(ctx, st); err != nil {
		return err
	}
	by := e.By.ID
	if by == 0 && r.AuthorID != nil {
		by = *r.AuthorID
	}
	if by == 0 || r.Head == r.Base {
		return nil
	}
	g, err := code.Open(ctx, st, e.Project)
	if err != nil {
		return err
	}
	if has, err := hasDefinition(ctx, st, g, e.Project, r.Head); err != nil || !has {
		return err
	}
	return pipelineRequest{
		ProjectID: e.Project.ID, UserID: by, MergeRequestID: &r.ID, Ref: requestName(r.ID), Commit: r.Head,
	}.store(ctx, st, pushOptions{})
}

// readPushOptions returns what the options of a push say about pipelines, and whether there are to
// be none.
func readPushOptions(list []string) (o pushOptions, none bool) {
	for _, text := range list {
		text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
		name, value, _ := strings.Cut(text, "=")
		switch strings.TrimSpace(name) {
		case "ci.skip":
			o.Skip = true
		case "ci.no_pipeline":
			none = true
		case "ci.variable":
			o.Variables = appendPair(o.Variables, value)
		case "ci.input":
			o.Inputs = appendPair(o.Inputs, value)
		}
	}
	return o, none
}

// appendPair appends a variable that is written as KEY=value. Other texts are ignored.
func appendPair(list []expression.Variable, text string) []expression.Variable {
	key, value, ok := strings.Cut(text, "=")
	if key = strings.TrimSpace(key); !ok || key == "" {
		return list
	}
	return append(list, expression.Variable{Key: key, Value: value})
}

// inputsNode returns inputs that were given as texts; nil if there are none. Numbers and true and
// false are what they look like.
func inputsNode(list []expression.Variable) *document.Node {
	if len(list) == 0 {
		return nil
	}
	n := &document.Node{Kind: document.Map}
	for _, v := range list {
		n.Entries = append(n.Entries, document.Entry{Key: v.Key, Plain: true, Value: scalarNode(v.Value)})
	}
	return n
}

// scalarNode returns a text as the value of an input.
func scalarNode(text string) *document.Node {
	if number, err := strconv.ParseInt(text, 10, 64); err == nil {
		return &document.Node{Kind: document.Int, Int: number, Text: text}
	}
	if number, err := strconv.ParseFloat(text, 64); err == nil && strings.ContainsAny(text, ".") {
		return &document.Node{Kind: document.Float, Float: number, Text: text}
	}
	if text == "true" || text == "false" {
		return &document.Node{Kind: document.Bool, Bool: text == "true", Text: text}
	}
	return &document.Node{Kind: document.String, Text: text}
}
