package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"hew/provider/client"
	"hew/schema"
)

// A project's runner can be enabled for other projects (spec 3 §2.5). Hosts have
// requests of their own to enable and disable it, and may refuse to delete it before.

// otherProjects removes the project in which a runner is declared from its projects.
func otherProjects(d *Decoder, _ Record, o *schema.Object) error {
	v, told := o.Value.Get("projects")
	if owner := d.Owner(); told && owner != nil {
		o.Value.Set(o.Kind.Attr("projects"), schema.RefsVal(exceptRefs(schema.Refs(v), []*schema.Ref{owner})))
	}
	return nil
}

// exceptRefs returns the references that are to none of the others.
func exceptRefs(refs, others []*schema.Ref) []*schema.Ref {
	return slices.DeleteFunc(slices.Clone(refs), func(r *schema.Ref) bool {
		return slices.ContainsFunc(others,
			r.Same)
	})
}

// assignProjects enables the runner for the wanted projects and disables it for all
// others. It reads the present ones first: those that the token cannot see stay.
func assignProjects(ctx context.Context, w *Write) error {
	if err := w.Reread(ctx); err != nil {
		return err
	}
	now, want := schema.Refs(w.Now().Get("projects")), schema.Refs(w.Want().Get("projects"))
	for _, r := range exceptRefs(want, now) {
		if r.ID == "" {
			return fmt.Errorf("projects: project %s does not exist, or the token cannot see it", r)
		}
		body := map[string]any{"runner_id": json.Number(w.Now().ID)}
		if _, err := w.Client().Post(ctx, client.To("projects/{project}/runners", r.ID), body, nil); err != nil {
			return fmt.Errorf("cannot enable the runner in project %s: %w", r, w.Explain(err))
		}
	}
	if err := w.p.disableRunner(ctx, w.Now(), exceptRefs(now, want)); err != nil {
		return err
	}
	return w.Reread(ctx)
}

// disableRunner disables a runner for projects.
func (p *Provider) disableRunner(ctx context.Context, runner schema.Object, from []*schema.Ref) error {
	k, err := p.kind(runner.Kind)
	if err != nil {
		return err
	}
	for _, r := range from {
		_, err := p.client.Delete(ctx, client.To("projects/{project}/runners/{id}", r.ID, runner.ID), nil, nil)
		if err = ignoreNotFound(k, err); err != nil {
			return fmt.Errorf("cannot disable the runner in project %s: %w", r, err)
		}
	}
	return nil
}

// releaseOthers disables a runner for all projects but its own.
func releaseOthers(ctx context.Context, p *Provider, o schema.Object) error {
	k, err := p.kind(o.Kind)
	if err != nil {
		return err
	}
	raw, _, err := p.get(ctx, k, o)
	if err != nil {
		return err
	}
	now, err := newDecoder(k, ownerID(o), []string{"projects"}).object(raw)
	if err != nil || ownerID(o) == "" {
		return err // its own project is not known, so the host decides
	}
	return p.disableRunner(ctx, o, schema.Refs(now.Get("projects")))
}
