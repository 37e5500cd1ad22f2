package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/catalogue"
)

// environment is a place that jobs of a project deploy to (CI facts §2.3). Hosts delete
// it only once it is stopped.
func environment() Kind {
	in := inProject.as("Developer")
	return Kind{
		Kind: schema.Kind{
			Name: "environment",
			Doc: "An environment of a project, which jobs deploy to. Jobs also create environments; those that no " +
				"block declares are left alone. hew stops an environment before it deletes it, which may start the " +
				"job that removes the deployment.",
			Collection: in.path("environments"),
			Match:      schema.ByKey("name"),
			Unique:     []schema.Unique{{Attrs: []string{"name"}}},
			Need:       in.need,
			Features:   []string{"builds_access_level", "environments_access_level"},
		},
		Table: []Attr{
			in.ref(),
			String("name", "The name of the environment, such as `production` or `review/docs`.", Required, ForceNew,
				MaxLength(255), Check(checkEnvironmentName)),
			String("external_url", "The URL of what is deployed. Empty is none.", MaxLength(255), Default(""),
				Check(checkEnvironmentURL)),
			String("tier", "The tier: "+strings.Join(catalogue.Tiers, ", ")+". The default follows from the name.",
				OneOf(catalogue.Tiers...), tierByName),
			ID(),
			String("slug", "The name as a part of host names.", Computed),
			String("state", "The state: `available`, `stopping` or `stopped`.", Computed),
			String("auto_stop_at", "The time at which the host stops the environment.", Computed),
			String("created_at", "The time of creation.", Computed),
		},
		API: REST{ReleaseForDelete: stopEnvironment},
	}
}

// tierByName makes the default of the tier the one that hosts guess from the name.
func tierByName(a *Attr) {
	a.Default = func(o schema.Object) cty.Value { return cty.StringVal(catalogue.TierOf(stringOf(o, "name"))) }
}

func checkEnvironmentName(v cty.Value) error {
	if !catalogue.IsEnvironmentName(v.AsString()) {
		return fmt.Errorf("%s is not a valid name of an environment; use letters, digits, spaces and -_/${}.\\, and do "+
			"not begin or end with a slash", schema.Encode(v))
	}
	return nil
}

func checkEnvironmentURL(v cty.Value) error {
	if !catalogue.IsEnvironmentURL(v.AsString()) {
		return errors.New("must be a URL, such as https://www.example.com")
	}
	return nil
}

// stopEnvironment stops an environment that is to be deleted. Where a job has to stop it, the
// deletion has to wait for the job.
func stopEnvironment(ctx context.Context, p *Provider, o schema.Object) error {
	var answer json.RawMessage
	if _, err := p.client.Post(ctx, pathOf(inProject.path("environments/{id}/stop"), o), nil, &answer); err != nil {
		return fmt.Errorf("it cannot be stopped either: %w", err)
	}
	for name, value := range members(answer) {
		if string(name) == "state" && textOf(value) == "stopping" {
			return errors.New("a job of the project stops the environment now; run hew apply again once the job has " +
				"ended")
		}
	}
	return nil
}
