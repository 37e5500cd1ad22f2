package integration

import (
	"context"
	"maps"
	"reflect"
	"strings"
	"time"

	"hew/schema/catalogue"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/outbound"
	"hew/server/setting"
)

// IntegrationChange is what a request sets of an integration. Everything else stays as it is.
type IntegrationChange struct {
	Of      catalogue.Integration
	Neutral bool           // it is called by its neutral name
	Values  map[string]any // parameters and flags by name, in normal form; nil takes one away
	Inherit *bool          // use what the group above has; nil: as before, or not if anything else is said
}

// SetIntegration sets up or changes an integration of a group or project, and activates it (gaps
// §13.1).
func SetIntegration(
	ctx context.Context, st *db.Store, c db.Container, in IntegrationChange,
) (i Integration, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		settings, err := setting.Read(ctx, st)
		if err != nil {
			return err
		}
		i, err = Integrations(st, c).Put(ctx, BySlug(in.Of.Slug), NewIntegration(c, in.Of.Slug),
			func(st *db.Store, i *Integration) error {
				return in.into(ctx, st, setting.OutboundPolicy(settings), i)
			})
		if err == nil && !i.Active {
			err = invalidIntegration(
				"there are no settings to inherit: no group above has set up " + in.Of.Spelled(in.Neutral),
			)
		}
		return err
	})
	return i, err
}

// into applies the change to an integration.
func (in IntegrationChange) into(ctx context.Context, st *db.Store, policy outbound.Policy, i *Integration) error {
	if in.Of.Elsewhere() && !i.Active {
		return fault.Unprocessable(
			"The " + in.Of.Title + " is installed in the browser, and cannot be created by the API",
		)
	}
	if in.inherits(*i) {
		// Inheriting discards the integration's own settings, as on the public service.
		i.reset()
		i.Active, i.Inherits, i.Neutral = true, true, in.Neutral
		return nil
	}
	if err := in.check(policy); err != nil {
		return err
	}
	if i.Inherits {
		if err := leaveInheritance(ctx, st, i); err != nil {
			return err
		}
	}
	i.Active, i.Neutral = true, in.Neutral
	in.set(st, i)
	return in.complete(*i)
}

// inherits reports whether an integration uses the settings of the group above after the change.
func (in IntegrationChange) inherits(i Integration) bool {
	if in.Inherit != nil {
		return *in.Inherit
	}
	return i.Inherits && len(in.Values) == 0
}

// leaveInheritance copies the inherited settings into an integration, without secrets: the
// group no longer controls their destination, and changing it requires them.
func leaveInheritance(ctx context.Context, st *db.Store, i *Integration) error {
	inherited, err := Integrations(st, i.Container).One(ctx, BySlug(i.Slug))
	i.reset()
	i.Flags, i.Properties = inherited.Flags, inherited.Properties
	return err
}

// check returns all problems of the values at once.
func (in IntegrationChange) check(policy outbound.Policy) error {
	var wrong []string
	for _, p := range in.Of.Parameters {
		value, given := in.Values[p.Name]
		err := p.Check(value)
		switch text, _ := value.(string); {
		case !given:
		case err != nil:
			wrong = append(wrong, p.Spelled(in.Neutral)+" "+err.Error())
		case p.IsAddress() && text != "" && !policy.Admits(text):
			wrong = append(wrong, p.Spelled(in.Neutral)+" is blocked: requests must not go there")
		}
	}
	if wrong == nil {
		return nil
	}
	return invalidIntegration(strings.Join(wrong, ", "))
}

// invalidIntegration returns the public service's answer to invalid values.
func invalidIntegration(what string) error {
	return fault.BadRequest("400 Bad Request - " + what).In(fault.Text)
}

// set stores the values. If the destination of secrets changes, secrets that are not given again
// are deleted.
func (in IntegrationChange) set(st *db.Store, i *Integration) {
	for _, p := range in.Of.Parameters {
		if value, given := in.Values[p.Name]; given && p.Base &&
			!reflect.DeepEqual(emptyAsText(value), emptyAsText(i.Property(p))) {
			clear(i.Secrets)
		}
	}
	for _, p := range in.Of.Parameters {
		if value, given := in.Values[p.Name]; given {
			setProperty(st, i, p, value)
		}
	}
	for _, f := range in.Of.Flags {
		if value, given := in.Values[f.Name]; given {
			if on, stated := value.(bool); stated {
				i.Flags[f.Name] = on
			} else {
				delete(i.Flags, f.Name)
			}
		}
	}
}

// emptyAsText returns v, or an empty text for nil.
func emptyAsText(v any) any {
	if v == nil {
		return ""
	}
	return v
}

// complete returns an error that names the required parameters that are missing.
func (in IntegrationChange) complete(i Integration) error {
	have := maps.Clone(map[string]any(i.Properties))
	for name, sealed := range i.Secrets {
		have[name] = sealed
	}
	missing := in.Of.Missing(have)
	if len(missing) == 0 {
		return nil
	}
	for n, name := range missing {
		p, _ := in.Of.Parameter(name)
		missing[n] = p.Spelled(in.Neutral) + " is missing"
	}
	return fault.Param(strings.Join(missing, ", "))
}

// DisableIntegration deactivates an integration and deletes its settings. It fails if unless fails,
// which gets the time of the last change.
func DisableIntegration(
	ctx context.Context, st *db.Store, c db.Container, slug string, unless func(context.Context, time.Time) error,
) error {
	_, err := Integrations(st, c).Change(ctx, BySlug(slug), func(_ *db.Store, i *Integration) error {
		i.reset()
		return unless(ctx, i.UpdatedAt)
	})
	return err
}
