package ci

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/secret"
	"hew/server/tree"
)

// Trigger is a token with which anybody starts pipelines of a project in its owner's name (CI facts
// §2.3).
type Trigger struct {
	ID          int64      `db:"id,auto"`
	ProjectID   int64      `db:"project_id"`
	OwnerID     int64      `db:"owner_id"`
	Description string     `db:"description"`
	Digest      []byte     `db:"digest"` // of the token
	Sealed      []byte     `db:"sealed"` // the token
	ExpiresAt   *time.Time `db:"expires_at"`
	LastUsedAt  *time.Time `db:"last_used_at"`
	CreatedAt   time.Time  `db:"created_at,auto"`
	UpdatedAt   time.Time  `db:"updated_at,auto"`

	Owner *tree.Person `db:"owner,auto"`
}

// triggerPrefix is how every token of a trigger begins.
const triggerPrefix = "glptt-"

// triggerToken is where the tokens are, for their seals.
const triggerToken = "pipeline_triggers.token"

var selectTriggers = `select t.*, ` + tree.PersonColumn("t.owner_id") + ` as owner from pipeline_triggers t`

// Triggers returns the triggers of a project.
func Triggers(s *db.Store, projectID int64) db.Held[Trigger] {
	h := db.NewHeld[Trigger](s, db.Container{ProjectID: &projectID}, "pipeline_triggers")
	h.What, h.Select = "Trigger", selectTriggers
	return h
}

// TriggerToken returns the token of a trigger in clear, for its owner.
func TriggerToken(s *db.Store, t Trigger) (string, error) {
	token, err := s.Seal.Open(triggerToken, t.ID, t.Sealed)
	return string(token), err
}

// shortToken is how many characters of a token others see.
const shortToken = 4

// ShortToken returns the beginning of the token of a trigger, by which people tell tokens apart.
func ShortToken(s *db.Store, t Trigger) (string, error) {
	token, err := TriggerToken(s, t)
	token = strings.TrimPrefix(token, triggerPrefix)
	return token[:min(shortToken, len(token))], err
}

// CreateTrigger stores a trigger of a user with a new token.
func CreateTrigger(
	ctx context.Context, st *db.Store, p tree.Project, by tree.User, description string, expires *time.Time,
) (made Trigger, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		token := secret.NewToken(triggerPrefix)
		digest := secret.Digest(token)
		id, err := st.NextID(ctx, "pipeline_triggers")
		if err != nil {
			return err
		}
		made, err = Triggers(st, p.ID).Create(ctx, Trigger{
			ID: id, ProjectID: p.ID, OwnerID: by.ID, Description: description, Digest: digest[:], ExpiresAt: expires,
			Sealed: st.Seal.Seal(triggerToken, id, []byte(token)),
		})
		return err
	})
	return made, err
}

// UseTrigger returns the trigger of a project that a token is of, and notes that it was used.
func UseTrigger(ctx context.Context, st *db.Store, projectID int64, token string) (Trigger, error) {
	digest := secret.Digest(token)
	args := pgx.NamedArgs{"project": projectID, "digest": digest[:]}
	t, err := db.One[Trigger](ctx, st, "", selectTriggers+`
		where t.project_id = @project and t.digest = @digest and (t.expires_at is null or t.expires_at > now())`, args)
	if err != nil {
		return t, err
	}
	return t, st.Exec(ctx, `update pipeline_triggers set last_used_at = now() where id = @id`, pgx.NamedArgs{"id": t.ID})
}

// tooMany is the fault of a limit of the plan.
func tooMany(what string, most int) error {
	return fault.Invalid("base", fmt.Sprintf("Maximum number of %s (%d) exceeded", what, most))
}
