package people

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/schema/catalogue"
	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/secret"
	"hew/server/tree"
)

// DeployToken is a token of a group or project with which programs read what it has, without being
// a user. The token itself is not stored.
type DeployToken struct {
	ID           int64      `db:"id,auto"`
	Name         string     `db:"name"`
	Username     string     `db:"username"`   // that clients send with the token; tokens can share one
	Digest       []byte     `db:"digest"`     // the SHA-256 of the token
	Scopes       []string   `db:"scopes"`     // of catalogue.DeployScopes, in the order there
	ExpiresAt    *time.Time `db:"expires_at"` // the token is valid until the end of this day, in UTC
	Revoked      bool       `db:"revoked"`    // by an operator: the API deletes tokens
	CreatedAt    time.Time  `db:"created_at,auto"`
	UpdatedAt    time.Time  `db:"updated_at,auto"`
	db.Container            // one of the two is set
}

// DeployTokenPrefix is how every deploy token begins, so that a leaked one can be recognised.
const DeployTokenPrefix = "gldt-"

// Expired reports whether the last day of the token is over.
func (t DeployToken) Expired() bool {
	return t.ExpiresAt != nil && t.ExpiresAt.UTC().Truncate(24*time.Hour).Before(db.Today().Time)
}

// Reaches reports whether the token is one of the project, or of a group that the project is in.
func (t DeployToken) Reaches(p tree.Project) bool {
	return t.ProjectID != nil && *t.ProjectID == p.ID ||
		t.NamespaceID != nil && slices.Contains(p.NamespaceIDs, *t.NamespaceID)
}

// ReachesGroup reports whether the token is one of the group, or of a group above it.
func (t DeployToken) ReachesGroup(g tree.Group) bool {
	return t.NamespaceID != nil && slices.Contains(g.TraversalIDs, *t.NamespaceID)
}

// DeployTokens returns the deploy tokens of a group or project.
func DeployTokens(s *db.Store, c db.Container) db.Held[DeployToken] {
	tokens := db.NewHeld[DeployToken](s, c, "deploy_tokens")
	tokens.What, tokens.Select = "Deploy Token", selectDeployTokens
	return tokens
}

const selectDeployTokens = `select t.* from deploy_tokens t`

// DeployTokenFilter narrows a list of deploy tokens. Zero fields narrow nothing.
type DeployTokenFilter struct {
	Active *bool // neither revoked nor expired
}

// Within adds the conditions of the filter.
func (f DeployTokenFilter) Within(w *db.Where) {
	w.AndIf(f.Active != nil, `@active = (not t.revoked
		and (t.expires_at is null or (t.expires_at at time zone 'UTC')::date >= current_date))`, f.Active)
}

// AllDeployTokens lists the deploy tokens of all groups and projects.
func AllDeployTokens(ctx context.Context, s *db.Store, f DeployTokenFilter, p db.Page) ([]DeployToken, int, error) {
	w := db.NewWhere(nil)
	f.Within(w)
	return db.List[DeployToken](ctx, s, p, nil, "t.id", selectDeployTokens, w)
}

// FindDeployToken returns the deploy token with this digest, a revoked or expired one too, or a
// not-found fault.
func FindDeployToken(ctx context.Context, s *db.Store, digest []byte) (DeployToken, error) {
	return db.One[DeployToken](ctx, s, "", selectDeployTokens+` where t.digest = @digest`,
		pgx.NamedArgs{"digest": digest})
}

// IssuedDeployToken is a deploy token with its secret, which only the answer that creates it shows.
type IssuedDeployToken struct {
	DeployToken
	Plain string
}

// CreateDeployToken creates a deploy token of a group or project from name, username, scopes and
// expiry of t. Without a username it gets one that contains its id. The expiry may be in the past,
// as on the public service.
func CreateDeployToken(
	ctx context.Context, st *db.Store, in db.Container, t DeployToken,
) (fresh IssuedDeployToken, err error) {
	if err := checkDeployToken(t); err != nil {
		return fresh, err
	}
	fresh.Plain = secret.NewToken(DeployTokenPrefix)
	digest := secret.Digest(fresh.Plain)
	t.Container, t.Digest, t.Scopes = in, digest[:], catalogue.SortDeployScopes(t.Scopes)
	if t.ID, err = st.NextID(ctx, "deploy_tokens"); err != nil {
		return fresh, err
	}
	if t.Username == "" {
		t.Username = fmt.Sprint("gitlab+deploy-token-", t.ID)
	}
	fresh.DeployToken, err = DeployTokens(st, in).Create(ctx, t)
	return fresh, err
}

func checkDeployToken(t DeployToken) error {
	if len(t.Scopes) == 0 {
		return fault.BadRequest("Scopes can't be blank").In(fault.Text)
	}
	var wrong check.Problems
	wrong.Fits("name", t.Name, 255)
	if wrong.Fits("username", t.Username, 255) && t.Username != "" && !catalogue.IsDeployUsername(t.Username) {
		wrong.On("username", catalogue.DeployUsernameRule)
	}
	return wrong.Err()
}
