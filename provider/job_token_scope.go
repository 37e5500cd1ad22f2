package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/provider/client"
	"hew/schema"
)

// projectJobTokenScope says whose jobs may act on a project with their tokens (CI facts §2.2). The
// two allowlists have requests of their own.
func projectJobTokenScope() Kind {
	scope := inProject.path("job_token_scope")
	return Kind{
		Kind: schema.Kind{
			Name: "project_job_token_scope",
			Doc: "The projects whose jobs may act on a project with their job tokens. Every project has a scope, " +
				"which always includes its own jobs.",
			Collection: scope,
			Holds:      schema.One,
			Match:      schema.ByKey("project"),
			Check:      checkOwnJobs,
			Need:       inProject.need,
		},
		Table: []Attr{
			inProject.ref(),
			Bool("enabled", "Whether only the listed projects and groups are admitted. Otherwise the jobs of all "+
				"projects are.", Field("inbound_enabled"), Default(true), OpensIf(false)),
			References("projects", "project", "The projects whose jobs are admitted.", List(scope+"/allowlist"),
				Parameter("target_project_id"), Field("projects"), OpensGrowing),
			References("groups", "group", "The groups whose projects have their jobs admitted, with their subgroups.",
				List(scope+"/groups_allowlist"), Parameter("target_group_id"), Field("groups"), OpensGrowing),
		},
		API: REST{
			Create: http.MethodPatch, Update: http.MethodPatch, CreateBody: addScopeState,
			After: []Action{
				{Attr: "projects", Run: syncAllowlist("projects")}, {Attr: "groups", Run: syncAllowlist("groups")},
			},
			Decode: func(d *Decoder, _ Record, o *schema.Object) error {
				own := d.Owner()
				if v, told := o.Value.Get("projects"); told && own != nil { // some hosts list it
					o.Value.Set(o.Kind.Attr("projects"), schema.RefsVal(exceptRefs(schema.Refs(v), []*schema.Ref{own})))
				}
				return nil
			},
		},
	}
}

// addScopeState adds the state of a new project's scope if none is stated: hosts reject a request
// without it.
func addScopeState(_ schema.Object, body map[string]any) error {
	if len(body) == 0 {
		body["enabled"] = true
	}
	return nil
}

// checkOwnJobs rejects the project itself in its list.
func checkOwnJobs(o schema.Object) []schema.Problem {
	project, others := o.Kind.Attr("project"), o.Get("projects")
	others, _ = others.UnmarkDeep()
	if others.IsNull() || !others.IsKnown() || !others.CanIterateElements() {
		return nil
	}
	if slices.ContainsFunc(others.AsValueSlice(), func(v cty.Value) bool {
		return v.IsKnown() && project.Equal(o.Get("project"), v)
	}) {
		return []schema.Problem{{Attr: "projects",
			Text: "the jobs of the project itself are always admitted; remove it from projects"}}
	}
	return nil
}

// syncAllowlist returns a function that makes a list be the wanted one.
func syncAllowlist(attr string) func(context.Context, *Write) error {
	return func(ctx context.Context, w *Write) error {
		row := w.kind.row(attr)
		now, want := schema.Refs(w.Now().Get(attr)), schema.Refs(w.Want().Get(attr))
		for _, r := range exceptRefs(want, now) {
			if r.ID == "" {
				return fmt.Errorf("%s: %s %s does not exist, or the token cannot see it", attr, row.RefKind(), r)
			}
			body := map[string]any{row.Parameter: json.Number(r.ID)}
			if _, err := w.Client().Post(ctx, pathOf(row.List, w.Now()), body, nil); err != nil {
				return fmt.Errorf("cannot admit the jobs of %s %s: %w", row.RefKind(), r, w.Explain(err))
			}
		}
		for _, r := range exceptRefs(now, want) {
			at := client.To(row.List+"/{id}", ownerID(w.Now()), r.ID)
			if _, err := w.Client().Delete(ctx, at, nil, nil); ignoreNotFound(w.kind, err) != nil {
				return fmt.Errorf("cannot remove %s %s from the job token scope: %w", row.RefKind(), r, w.Explain(err))
			}
		}
		return w.Reread(ctx)
	}
}
