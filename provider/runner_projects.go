package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"hew/provider/client"
	"hew/schema"
)

// A runner of a project can work for others as well (spec 3 §2.5). Hosts have
// requests of their own to let it, and to end that, and may refuse to delete it
// while it does.

// otherProjects leaves out of the projects that a runner works for the one that it
// is declared in.
func otherProjects(d *Decoder, _ Record, o *schema.Object) error {
	v, told := o.Value.Get("projects")
	if owner := d.Owner(); told && owner != nil {
		o.Value.Set(o.Kind.Attr("projects"), schema.RefsVal(exceptRefs(schema.Refs(v), []*schema.Ref{owner})))
	}
	return nil
}

// exceptRefs are the references that none of the others is the same as.
func exceptRefs(refs, others []*schema.Ref) []*schema.Ref {
	return slices.DeleteFunc(slices.Clone(refs), func(r *schema.Ref) bool { return slices.ContainsFunc(others, r.Same) })
}

// assignProjects makes the runner work for the projects that are wanted, and for no
// others. What there is by now is read first: whoever is not seen stays.
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

// disableRunner ends the work of a runner for projects.
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

// releaseOthers ends all work of a runner but that for its own project.
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
		return err // whose it is cannot be told, and so the host decides
	}
	return p.disableRunner(ctx, o, schema.Refs(now.Get("projects")))
}
