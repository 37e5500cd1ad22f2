package people

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// Token is an access token of a person, or one of a group or project, which belongs to a bot. It
// has the SHA-256 of the token, which only its holder knows.
type Token struct {
	ID            int64      `db:"id,auto" json:"id"`
	UserID        int64      `db:"user_id" json:"user_id"`
	Name          string     `db:"name" json:"name"`
	Description   *string    `db:"description" json:"description"`
	Digest        []byte     `db:"digest" json:"-"`
	Prefix        string     `db:"prefix" json:"-"` // the public part, so that a leaked token can be recognised
	Scopes        []string   `db:"scopes" json:"scopes"`
	Impersonation bool       `db:"impersonation" json:"impersonation,omitempty"` // administrators act as the user
	Revoked       bool       `db:"revoked" json:"revoked"`
	CreatedAt     time.Time  `db:"created_at,auto" json:"created_at"`
	ExpiresAt     *db.Date   `db:"expires_at" json:"expires_at"` // the first day on which it is no longer valid
	LastUsedAt    *time.Time `db:"last_used_at,auto" json:"last_used_at"`
	LastUsedIPs   []string   `db:"last_used_ips,auto" json:"last_used_ips"`
	db.Container             // neither is set for a person's token
	AccessLevel   *int       `db:"access_level" json:"access_level,omitempty"` // of the bot; nil for a person's token
	// an event has announced that it expires soon
	ExpiryTold bool `db:"expiry_told" json:"-"`
}

// Expired reports whether the token's day of expiry has come.
func (t Token) Expired() bool { return t.ExpiresAt != nil && !db.Today().Before(t.ExpiresAt.Time) }

// Active reports whether the token is neither revoked nor expired.
func (t Token) Active() bool { return !t.Revoked && !t.Expired() }

// TokenFilter narrows a list of tokens. Zero fields narrow nothing.
type TokenFilter struct {
	In                            db.Container
	Impersonation                 bool // tokens with which administrators act as the user, instead of all others
	UserID                        *int64
	Search                        string
	Revoked, Active               *bool
	CreatedAfter, CreatedBefore   *time.Time
	LastUsedAfter, LastUsedBefore *time.Time
	ExpiresAfter, ExpiresBefore   *db.Date
}

var tokenOrders = db.Order{
	"id": "t.id", "created": "t.created_at", "expires": "t.expires_at", "last_used": "t.last_used_at", "name": "t.name",
}

// Where returns the condition that a token t is in the list.
func (f TokenFilter) Where() *db.Where {
	w := db.NewWhere(nil)
	w.And(`t.impersonation = @impersonation`, f.Impersonation)
	f.In.Within(w, "t")
	w.AndIf(f.UserID != nil, `t.user_id = @user`, f.UserID)
	w.AndIf(f.Search != "", `t.name ilike @like`, tree.Infix(f.Search))
	w.AndIf(f.Revoked != nil, `t.revoked = @revoked`, f.Revoked)
	w.AndIf(f.Active != nil, `@active = (not t.revoked
		and (t.expires_at is null or t.expires_at > current_date))`, f.Active)
	w.AndIf(f.CreatedAfter != nil, `t.created_at > @created_after`, f.CreatedAfter)
	w.AndIf(f.CreatedBefore != nil, `t.created_at < @created_before`, f.CreatedBefore)
	w.AndIf(f.LastUsedAfter != nil, `t.last_used_at > @last_used_after`, f.LastUsedAfter)
	w.AndIf(f.LastUsedBefore != nil, `t.last_used_at < @last_used_before`, f.LastUsedBefore)
	w.AndIf(f.ExpiresAfter != nil, `t.expires_at > @expires_after`, f.ExpiresAfter)
	w.AndIf(f.ExpiresBefore != nil, `t.expires_at < @expires_before`, f.ExpiresBefore)
	return w
}

// Tokens lists access tokens. Orders: id, created, expires, last_used, name.
func Tokens(ctx context.Context, s *db.Store, f TokenFilter, p db.Page) ([]Token, int, error) {
	return db.List[Token](ctx, s, p, tokenOrders, "t.id", `select t.* from personal_access_tokens t`, f.Where())
}

// FindToken returns the token with that id, or a not-found fault.
func FindToken(ctx context.Context, s *db.Store, id int64) (Token, error) {
	return db.One[Token](ctx, s, "", `select t.* from personal_access_tokens t
		where t.id = @id`, pgx.NamedArgs{"id": id})
}

// TokensNamed returns the tokens of a user that have exactly this name, revoked ones too.
func TokensNamed(ctx context.Context, s *db.Store, user int64, name string) ([]Token, error) {
	return db.Many[Token](ctx, s, `select t.* from personal_access_tokens t
		where t.user_id = @user and t.name = @name and not t.impersonation
		order by t.id`, pgx.NamedArgs{"user": user, "name": name})
}

// SetTokenScopes gives the active tokens of a user that have exactly this name and never expire
// these scopes. Only hewd itself makes such tokens.
func SetTokenScopes(ctx context.Context, s *db.Store, user int64, name string, scopes []string) error {
	n, err := s.Affected(ctx, `update personal_access_tokens set scopes = @scopes
		where user_id = @user and name = @name and not impersonation and not revoked
		  and expires_at is null and scopes <> @scopes`,
		pgx.NamedArgs{"user": user, "name": name, "scopes": scopes})
	if err != nil || n == 0 {
		return err
	}
	return s.UserChanged(ctx, user)
}

// InsertToken stores a token and returns the row.
func InsertToken(ctx context.Context, s *db.Store, t Token) (Token, error) {
	id, err := s.Insert(ctx, "personal_access_tokens", t)
	if err != nil {
		return t, err
	}
	return FindToken(ctx, s, id)
}

// MarkRevoked revokes a token for every process at once, and reports whether it was not revoked
// before.
func MarkRevoked(ctx context.Context, s *db.Store, t Token) (bool, error) {
	n, err := s.Affected(ctx, `update personal_access_tokens set revoked = true where id = @id and not revoked`,
		pgx.NamedArgs{"id": t.ID})
	if err != nil || n == 0 {
		return false, err
	}
	return true, s.UserChanged(ctx, t.UserID)
}

// TouchToken records at most once a minute that a token was used from an address, and that its user
// was active today. It keeps the last five addresses.
func TouchToken(ctx context.Context, s *db.Store, t Token, address string) error {
	return s.Exec(ctx, `
		with used as (
		    update personal_access_tokens
		    set last_used_at = now(),
		        last_used_ips = (array_prepend(@address, array_remove(last_used_ips, @address)))[:5]
		    where id = @id and (last_used_at is null or last_used_at < now() - interval '1 minute')
		)
		update users set last_activity_on = current_date
		where id = @user and last_activity_on is distinct from current_date`,
		pgx.NamedArgs{"id": t.ID, "user": t.UserID, "address": address})
}

// FindTokenOwner returns the token with this digest and its user, in one round trip, or a not-found
// fault.
func FindTokenOwner(ctx context.Context, s *db.Store, digest []byte) (u tree.User, t Token, err error) {
	args := pgx.NamedArgs{"digest": digest}
	batch := &pgx.Batch{}
	batch.Queue(`select t.* from personal_access_tokens t
		where t.digest = @digest`, args).Query(func(rows pgx.Rows) (err error) {
		t, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[Token])
		return err
	})
	owner := tree.SelectUsers + ` where u.id = (select user_id from personal_access_tokens where digest = @digest)`
	batch.Queue(owner, args).Query(func(rows pgx.Rows) (err error) {
		u, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[tree.User])
		return err
	})
	err = s.SendBatch(ctx, tree.SelectUsers, batch)
	if errors.Is(err, pgx.ErrNoRows) {
		return u, t, fault.NotFound("Token")
	}
	return u, t, err
}

// ClaimExpiringTokens returns up to most access tokens of groups and projects that expire within so
// many days and that it has not returned before. Of two concurrent callers one gets a token.
func ClaimExpiringTokens(ctx context.Context, s *db.Store, days, most int) ([]Token, error) {
	return claimExpiring(ctx, s, `access_level is not null`, days, most)
}

// claimExpiring does so for the tokens that meet a condition.
func claimExpiring(ctx context.Context, s *db.Store, which string, days, most int) ([]Token, error) {
	return db.Many[Token](ctx, s, `
		update personal_access_tokens t set expiry_told = true
		where t.id in (
		    select id from personal_access_tokens
		    where `+which+` and not revoked and not expiry_told
		      and expires_at > current_date and expires_at <= current_date + @days::int
		    order by expires_at, id limit @most
		    for update skip locked)
		returning t.*`, pgx.NamedArgs{"days": days, "most": most})
}
