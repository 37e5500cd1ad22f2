package api

import (
	"context"
	"reflect"
	"slices"

	"hew/schema/catalogue"
	"hew/server/fault"
	"hew/server/integration"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// integrations are the routes of services that a group or project is connected to (spec 3 §4.1,
// gaps §13.1). The catalogue lists them and their parameters. Answers use the names that the
// request uses.
type integrations struct{ sender *integration.Sender }

func (a integrations) routes() []rest.Route {
	group := scope.HeldByGroup(adminGroupIntegration)
	project := scope.HeldByProject(adminIntegration)
	return slices.Concat(
		a.at("/groups/{id}/integrations", group), a.deliveries("/groups/{id}/integrations/{slug}", group),
		a.at("/projects/{id}/integrations", project), a.deliveries("/projects/{id}/integrations/{slug}", project),
		a.commands("/projects/{id}/integrations"),
		a.at("/projects/{id}/services", project), a.commands("/projects/{id}/services"), // as they were called once
	)
}

// at returns the routes of integrations under a path.
func (a integrations) at(path string, admin rest.Guard[scope.Container]) []rest.Route {
	one := path + "/{slug}"
	return []rest.Route{
		rest.Get(path, admin, a.list),
		rest.Get(one, admin, a.show),
		rest.Put(one, admin, a.set),
		rest.Delete(one, admin, a.delete),
	}
}

// integrationView is an integration as lists show it, by the names of the API.
type integrationView map[string]any

// integrationViewOf shows an integration by the name under which it was set up.
func integrationViewOf(i integration.Integration) integrationView {
	of, _ := catalogue.IntegrationBySlug(i.Slug)
	v := integrationView{
		"id": i.ID, "title": of.Title, "slug": of.Spelled(i.Neutral), "active": i.Active, "inherited": i.Inherits,
		"created_at": i.CreatedAt, "updated_at": i.UpdatedAt,
	}
	for _, f := range catalogue.Flags() {
		v[f.Name] = i.Flag(f)
	}
	return v
}

// integrationDetails returns a function that shows an integration with its properties, except
// secret ones.
func integrationDetails(neutral bool) func(integration.Integration) integrationView {
	return func(i integration.Integration) integrationView {
		i.Neutral = neutral
		v, properties := integrationViewOf(i), map[string]any{}
		of, _ := catalogue.IntegrationBySlug(i.Slug)
		for _, p := range of.Parameters {
			if !p.Secret {
				properties[p.Spelled(neutral)] = i.Property(p)
			}
		}
		v["properties"] = properties
		return v
	}
}

type integrationList struct{ rest.Paging }

func (integrations) list(
	ctx context.Context, s scope.Container, in integrationList,
) (rest.List[integrationView], error) {
	return rest.Pages(integrationViewOf)(
		integration.Integrations(s.Store, s.Container).List(ctx, scope.PageOf(in.Paging), integration.WhereActive))
}

// integrationSlug is the name of an integration in a request.
type integrationSlug struct {
	Slug string `param:"slug"`
}

// of returns the integration of the catalogue and reports whether the name is the neutral one.
func (in integrationSlug) of() (of catalogue.Integration, neutral bool, err error) {
	of, ok := catalogue.IntegrationBySlug(in.Slug)
	if !ok {
		err = fault.Param("slug does not have a valid value")
	}
	return of, in.Slug != of.Slug, err
}

func (integrations) show(ctx context.Context, s scope.Container, in integrationSlug) (integrationView, error) {
	of, neutral, err := in.of()
	if err != nil {
		return nil, err
	}
	return rest.Show(integrationDetails(neutral))(
		integration.Integrations(s.Store, s.Container).One(ctx, integration.BySlug(of.Slug)))
}

type integrationSettings struct {
	integrationSlug
	Inherit rest.Opt[bool] `param:"use_inherited_settings"`
	rest.Values[integrationsTable]
}

// integrationsTable lists the parameters of all integrations. A name has the same type in each.
type integrationsTable struct{}

// Columns returns the parameters and flags, under all of their names.
func (integrationsTable) Columns() (columns []rest.Column) {
	seen := map[string]bool{"": true}
	add := func(c rest.Column, names ...string) {
		for _, c.Name = range names {
			if !seen[c.Name] {
				seen[c.Name] = true
				columns = append(columns, c)
			}
		}
	}
	for _, of := range catalogue.Integrations() {
		for _, p := range of.Parameters {
			c := rest.Column{Type: view.SettingTypes[p.Type], Comma: p.Type == catalogue.Texts}
			if c.OneOf = p.Enum; len(p.Enum) > 0 && p.Type == catalogue.Text {
				c.OneOf = append(slices.Clone(p.Enum), "")
			}
			add(c, p.Name, p.Alias)
		}
	}
	for _, f := range catalogue.Flags() {
		add(rest.Column{Type: reflect.TypeFor[bool]()}, f.Name, f.Alias)
	}
	return columns
}

// stated returns the given values that concern an integration, by their own names and in normal
// form. Others are ignored.
func (in integrationSettings) stated(of catalogue.Integration) (map[string]any, error) {
	values := map[string]any{}
	for _, p := range of.Parameters {
		for _, name := range []string{p.Alias, p.Name} {
			value, given := in.Values[name]
			if !given {
				continue
			}
			normal, err := p.Normal(value)
			if err != nil {
				return nil, fault.Param(name + " is invalid")
			}
			values[p.Name] = normal
		}
	}
	for _, f := range of.Flags {
		for _, name := range []string{f.Alias, f.Name} {
			if value, given := in.Values[name]; given {
				values[f.Name] = value
			}
		}
	}
	return values, nil
}

func (integrations) set(ctx context.Context, s scope.Container, in integrationSettings) (integrationView, error) {
	of, neutral, err := in.of()
	if err != nil {
		return nil, fault.NotFound("404 Not Found").In(fault.Parameter) // as if there were no such route
	}
	values, err := in.stated(of)
	if err != nil {
		return nil, err
	}
	change := integration.IntegrationChange{Of: of, Neutral: neutral, Values: values}
	if in.Inherit.Given() {
		change.Inherit = new(in.Inherit.Or(false))
	}
	return rest.Show(integrationDetails(neutral))(integration.SetIntegration(ctx, s.Store, s.Container, change))
}

func (integrations) delete(ctx context.Context, s scope.Container, in integrationSlug) (rest.None, error) {
	of, _, err := in.of()
	if err != nil {
		return rest.None{}, err
	}
	return rest.None{}, integration.DisableIntegration(ctx, s.Store, s.Container, of.Slug, rest.Unmodified)
}
