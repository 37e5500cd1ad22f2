package integration

import (
	"context"
	"crypto/subtle"
	"time"

	"hew/schema/catalogue"
	"hew/server/db"
)

// Integration is a service that a group or project is connected to (spec 3 §2.1, gaps §13.1). A
// disabled one keeps its row, without settings.
type Integration struct {
	ID int64 `db:"id,auto"`
	db.Container
	Slug       string            `db:"slug"`
	Neutral    bool              `db:"neutral"` // it was set up under its neutral name
	Active     bool              `db:"active"`
	Inherits   bool              `db:"inherits"`
	Flags      map[string]bool   `db:"flags"`          // by name, those that were given; see Flag
	Properties db.JSONObject     `db:"properties"`     // by name, those that were given; see Property
	Secrets    map[string][]byte `db:"secrets"`        // by name, sealed
	OriginID   *int64            `db:"origin_id,auto"` // of one that inherits: whose settings count
	CreatedAt  time.Time         `db:"created_at,auto"`
	UpdatedAt  time.Time         `db:"updated_at,auto"`
}

// selectIntegrations reads settings in effect: of an integration that inherits, those of the
// nearest group above that has its own. Without such a group it is inactive.
const selectIntegrations = `
	select t.id, t.namespace_id, t.project_id, t.slug, t.neutral, t.inherits, t.secrets, o.id as origin_id,
		t.created_at, t.updated_at,
	       t.active and (o.id is not null or not t.inherits) as active,
	       coalesce(o.flags, t.flags) as flags, coalesce(o.properties, t.properties) as properties
	from integrations t
	left join lateral (
	     select i.id, i.flags, i.properties
	     from integrations i
	     join namespaces above on above.id = coalesce(
	          (select namespace_id from projects where id = t.project_id),
	            (select parent_id from namespaces where id = t.namespace_id))
	     where i.namespace_id = any(above.traversal_ids) and i.slug = t.slug and i.active and not i.inherits
	     order by array_position(above.traversal_ids, i.namespace_id) desc limit 1) o on t.inherits`

// ownIntegrations reads the settings of each integration itself, for changes.
const ownIntegrations = `select t.*, null::bigint as origin_id from integrations t`

// NewIntegration returns an inactive integration without settings.
func NewIntegration(c db.Container, slug string) Integration {
	i := Integration{Container: c, Slug: slug}
	i.reset()
	return i
}

// reset deletes all settings and deactivates the integration.
func (i *Integration) reset() {
	i.Active, i.Inherits = false, false
	i.Flags, i.Properties, i.Secrets = map[string]bool{}, db.JSONObject{}, map[string][]byte{}
}

// Integrations returns the integrations of a group or project. Put creates a row before it edits
// it, because secrets are sealed for its id.
func Integrations(s *db.Store, c db.Container) db.Held[Integration] {
	all := db.NewHeld[Integration](s, c, "integrations")
	all.What, all.Select, all.SelectOwn = "Integration", selectIntegrations, ownIntegrations
	return all
}

// BySlug returns a condition that matches the integration with the slug.
func BySlug(slug string) db.Condition { return func(w *db.Where) { w.And(`t.slug = @slug`, slug) } }

// WhereActive narrows w to active integrations.
func WhereActive(w *db.Where) { w.And(`t.active and (o.id is not null or not t.inherits)`) }

// Flag reports whether the integration wants an event.
func (i Integration) Flag(f catalogue.Flag) bool {
	if on, given := i.Flags[f.Name]; given {
		return on
	}
	return f.Default
}

// Property returns the value of a parameter that is not secret, or its default.
func (i Integration) Property(p catalogue.Parameter) any {
	v, err := p.Normal(i.Properties[p.Name])
	if err != nil || v == nil {
		return p.Default
	}
	return v
}

// setProperty stores a value in normal form. Nil and an empty text delete it. Secrets are sealed.
func setProperty(s *db.Store, i *Integration, p catalogue.Parameter, value any) {
	delete(i.Secrets, p.Name)
	delete(i.Properties, p.Name)
	switch text, _ := value.(string); {
	case value == nil || value == "":
	case p.Secret:
		i.Secrets[p.Name] = s.Seal.Seal(integrationSecret+p.Name, i.ID, []byte(text))
	default:
		i.Properties[p.Name] = value
	}
}

// integrationSecret is where the secrets of integrations are, for their seals; the name of the
// parameter follows.
const integrationSecret = "integrations.secrets."

// IsSecret reports whether guess is the secret with the name. It takes the same time for every
// guess.
func IsSecret(ctx context.Context, s *db.Store, i Integration, name, guess string) (ok bool, err error) {
	i, err = withSecrets(ctx, s, i)
	sealed, set := i.Secrets[name]
	if err != nil || !set {
		return false, err
	}
	secret, err := s.Seal.Open(integrationSecret+name, i.ID, sealed)
	return err == nil && subtle.ConstantTimeCompare(secret, []byte(guess)) == 1, err
}
