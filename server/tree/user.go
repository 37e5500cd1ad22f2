package tree

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
)

// User is a person, or the bot of a project's or group's token. It has a personal namespace.
type User struct {
	ID             int64  `db:"id,auto"`
	Username       string `db:"username"`
	Name           string `db:"name"`
	Email          string `db:"email"`
	PasswordDigest string `db:"password_digest"` // bcrypt; empty: no password signs in
	// active, blocked, deactivated, banned, blocked_pending_approval
	State                    string            `db:"state"`
	Admin                    bool              `db:"admin"`
	Auditor                  bool              `db:"auditor"`
	Bot                      bool              `db:"bot"`
	External                 bool              `db:"external"`
	PrivateProfile           bool              `db:"private_profile"`
	CanCreateGroup           bool              `db:"can_create_group"`
	ProjectsLimit            int               `db:"projects_limit"`
	TwoFactorEnabled         bool              `db:"two_factor_enabled"`
	Bio                      string            `db:"bio"`
	Location                 *string           `db:"location"`
	PublicEmail              *string           `db:"public_email"`
	CommitEmail              *string           `db:"commit_email"`
	Skype                    string            `db:"skype"`
	Linkedin                 string            `db:"linkedin"`
	Twitter                  string            `db:"twitter"`
	Discord                  string            `db:"discord"`
	WebsiteURL               string            `db:"website_url"`
	Organization             string            `db:"organization"`
	JobTitle                 string            `db:"job_title"`
	Pronouns                 *string           `db:"pronouns"`
	Note                     *string           `db:"note"`
	Avatar                   *string           `db:"avatar"`
	ThemeID                  int               `db:"theme_id"`
	ColorSchemeID            int               `db:"color_scheme_id"`
	ViewDiffsFileByFile      bool              `db:"view_diffs_file_by_file"`
	RunnersMinutesLimit      *int              `db:"shared_runners_minutes_limit"`
	ExtraRunnersMinutesLimit *int              `db:"extra_shared_runners_minutes_limit"`
	Identities               []Identity        `db:"identities"`
	CustomAttributes         map[string]string `db:"custom_attributes"`
	CreatedByID              *int64            `db:"created_by_id"`
	CreatedAt                time.Time         `db:"created_at,auto"`
	UpdatedAt                time.Time         `db:"updated_at,auto"`
	ConfirmedAt              *time.Time        `db:"confirmed_at"`
	CurrentSignInAt          *time.Time        `db:"current_sign_in_at,auto"`
	LastSignInAt             *time.Time        `db:"last_sign_in_at,auto"`
	LastActivityOn           *db.Date          `db:"last_activity_on,auto"`
	NamespaceID              int64             `db:"namespace_id,auto"`
	CreatedBy                *Person           `db:"created_by,auto"`
}

// Identity is the user's name at an external provider.
type Identity struct {
	Provider       string `json:"provider"`
	ExternUID      string `json:"extern_uid"`
	SAMLProviderID *int64 `json:"saml_provider_id"`
}

// NewUser returns a user with the defaults of the public service. Application settings may change
// them.
func NewUser(username, name, email string) User {
	now := time.Now()
	return User{
		Username: username, Name: name, Email: email, State: "active", CanCreateGroup: true, ProjectsLimit: 100_000,
		ThemeID: 3, ColorSchemeID: 1, Identities: []Identity{}, CustomAttributes: map[string]string{},
		ConfirmedAt: &now,
	}
}

// Usable reports whether the user may use the API: not blocked, banned, deactivated or waiting for
// approval.
func (u User) Usable() bool { return u.State == "active" }

// SetIdentity adds the identity at a provider, or replaces it.
func (u *User) SetIdentity(id Identity) {
	u.Identities = append(slices.DeleteFunc(u.Identities,
		func(old Identity) bool { return old.Provider == id.Provider }), id)
}

// FindUser returns the user with that id, or a not-found fault.
func FindUser(ctx context.Context, s *db.Store, id int64) (User, error) {
	return db.One[User](ctx, s, "User", SelectUsers+` where u.id = @id`, pgx.NamedArgs{"id": id})
}

// UsersByID returns the users with these ids that exist.
func UsersByID(ctx context.Context, s *db.Store, ids []int64) (map[int64]User, error) {
	list, err := db.Many[User](ctx, s, SelectUsers+` where u.id = any(@ids)`, pgx.NamedArgs{"ids": ids})
	byID := make(map[int64]User, len(list))
	for _, u := range list {
		byID[u.ID] = u
	}
	return byID, err
}

// HoldUser returns the user with that id and locks the row until the commit, so that no concurrent
// change is overwritten.
func HoldUser(ctx context.Context, s *db.Store, id int64) (User, error) {
	return db.One[User](ctx, s, "User", SelectUsers+` where u.id = @id for no key update of u`, pgx.NamedArgs{"id": id})
}

// UserByName returns the user with that username, whatever its case.
func UserByName(ctx context.Context, s *db.Store, username string) (User, error) {
	return db.One[User](ctx, s, "User", SelectUsers+`
		where lower(u.username) = lower(@username)`, pgx.NamedArgs{"username": username})
}

// UserByRef returns the user that a request refers to, by id or by username.
func UserByRef(ctx context.Context, s *db.Store, ref string) (User, error) {
	if id, err := strconv.ParseInt(ref, 10, 64); err == nil {
		return FindUser(ctx, s, id)
	}
	return UserByName(ctx, s, ref)
}

// CreateUser stores a user and the personal namespace, which the user owns, and returns the stored
// row. A name that another user or a group has is a conflict.
func CreateUser(ctx context.Context, s *db.Store, u User) (User, error) {
	err := s.Tx(ctx, func(s *db.Store) (err error) {
		if u.ID == 0 {
			u.ID, err = s.NextID(ctx, "users")
		} else { // root, whose number is known beforehand
			err = s.Exec(ctx, `
				select setval(pg_get_serial_sequence('users', 'id'),
					greatest(@id, nextval(pg_get_serial_sequence('users', 'id'))))`,
				pgx.NamedArgs{"id": u.ID})
		}
		if err != nil {
			return err
		}
		if _, err := s.Insert(ctx, "users", u); err != nil {
			return err
		}
		u.NamespaceID, err = db.Value[int64](ctx, s, `
			with id as (select nextval(pg_get_serial_sequence('namespaces', 'id')) as id)
			insert into namespaces (id, kind, owner_id, name, path, full_name, full_path, traversal_ids, creator_id)
			select id, 'user', @user, @name, @path, @name, @path, array[id], @user from id
			returning id`, pgx.NamedArgs{"user": u.ID, "name": u.Name, "path": u.Username})
		if err != nil {
			return err
		}
		if err := Claim(ctx, s, u.Username, NamespaceRoute(u.NamespaceID)); err != nil {
			return usernameTaken(err)
		}
		if err := s.Exec(ctx, `insert into members (user_id, namespace_id, access_level) values (@user, @namespace,
			@owner)`,
			pgx.NamedArgs{"user": u.ID, "namespace": u.NamespaceID, "owner": db.Owner}); err != nil {
			return err
		}
		u, err = FindUser(ctx, s, u.ID)
		return err
	})
	return u, err
}

// UpdateUser stores the row and returns it as stored. With another username the personal namespace
// moves, and its old path becomes a redirect.
func UpdateUser(ctx context.Context, s *db.Store, u User) (User, error) {
	err := s.Tx(ctx, func(s *db.Store) (err error) {
		if err := s.Update(ctx, "users", u); err != nil {
			return err
		}
		home, err := Namespace(ctx, s, u.NamespaceID)
		if err != nil {
			return err
		}
		if home.Path != u.Username || home.Name != u.Name {
			if err := Relocate(ctx, s, home, nil, u.Username, u.Name); err != nil {
				return usernameTaken(err)
			}
		}
		if err := s.UserChanged(ctx, u.ID); err != nil {
			return err
		}
		u, err = FindUser(ctx, s, u.ID)
		return err
	})
	return u, err
}

// SetUserState changes the state of a user if it is one of from, and reports whether it was.
func SetUserState(ctx context.Context, s *db.Store, id int64, to string, from ...string) (changed bool, err error) {
	n, err := s.Affected(ctx, `update users set state = @to, updated_at = now() where id = @id and state = any(@from)`,
		pgx.NamedArgs{"id": id, "to": to, "from": from})
	if err != nil || n == 0 {
		return false, err
	}
	return true, s.UserChanged(ctx, id)
}

// Census returns the number of users who can sign in, and when the first one was made.
func Census(ctx context.Context, s *db.Store) (active int, since time.Time, err error) {
	if active, err = db.Value[int](ctx, s, `select count(*) from users where state = 'active'
		and not bot`, nil); err != nil {
		return 0, time.Time{}, err
	}
	since, err = db.Value[time.Time](ctx, s, `select coalesce(min(created_at), now()) from users`, nil)
	return active, since, err
}

// DeleteUser deletes a user with all tokens and memberships, and the personal namespace with
// everything in it. What the user made elsewhere stays, without an author.
func DeleteUser(ctx context.Context, s *db.Store, id int64) error {
	n, err := s.Affected(ctx, `delete from users where id = @id`, pgx.NamedArgs{"id": id})
	switch {
	case err != nil:
		return err
	case n == 0:
		return fault.NotFound("User")
	}
	return s.UserChanged(ctx, id)
}

// UsernameTaken is the message for a username that is taken.
const UsernameTaken = "Username has already been taken"

// usernameTaken turns the fault about the path of a personal namespace into one about the username.
func usernameTaken(err error) error {
	if f, ok := fault.From(err); ok && f.Fields["path"] != nil {
		return fault.Conflict(UsernameTaken).Because(err)
	}
	return err
}

// SelectUsers is the query of users u with their personal namespace, without a condition.
var SelectUsers = `
	select u.*, n.id as namespace_id, ` + PersonColumn("u.created_by_id") + ` as created_by
	from users u join namespaces n on n.owner_id = u.id`
