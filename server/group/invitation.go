package group

import (
	"context"
	"crypto/rand"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// Invitation is a membership that waits for a user who confirms the e-mail address.
type Invitation struct {
	ID int64 `db:"id,auto"`
	db.Container
	Email       string    `db:"email"`
	AccessLevel int       `db:"access_level"`
	ExpiresAt   *db.Date  `db:"expires_at"` // of the membership and of the invitation
	Token       string    `db:"token"`      // grants nothing
	CreatedByID *int64    `db:"created_by_id"`
	CreatedAt   time.Time `db:"created_at,auto"`

	CreatedByName *string `db:"created_by_name,auto"`
}

// NewInvitation returns an invitation to a source that is not stored yet.
func NewInvitation(s tree.Source, email string, level int) Invitation {
	return Invitation{Container: s.Container(), Email: email, AccessLevel: level, Token: rand.Text()}
}

const (
	invitationColumns = `select i.id, i.namespace_id, i.project_id, i.email, i.access_level, i.expires_at, i.token,
		i.created_by_id, i.created_at, c.name as created_by_name`
	invitedBy = ` left join users c on c.id = i.created_by_id`

	selectInvitations = invitationColumns + ` from invitations i` + invitedBy

	// unexpiredInvitation is the condition that an invitation i can be accepted.
	unexpiredInvitation = `(i.expires_at is null or i.expires_at > current_date)`
)

// Invitations lists the invitations to a source that have not expired and whose address contains
// the query, by id.
func Invitations(
	ctx context.Context, s *db.Store, src tree.Source, query string, p db.Page,
) ([]Invitation, int, error) {
	w := db.NewWhere(pgx.NamedArgs{})
	src.Container().Within(w, "i")
	w.And(unexpiredInvitation)
	w.AndIf(query != "", `i.email ilike @like`, tree.Infix(query))
	return db.List[Invitation](ctx, s, p, db.Order{}, "i.id", selectInvitations, w)
}

// HoldInvitation reads and locks an invitation, or returns a not-found fault.
func HoldInvitation(ctx context.Context, s *db.Store, src tree.Source, email string) (Invitation, error) {
	w := db.NewWhere(pgx.NamedArgs{})
	src.Container().Within(w, "i")
	w.And(unexpiredInvitation)
	w.And(`lower(i.email) = lower(@email)`, email)
	i, err := db.One[Invitation](ctx, s, "", selectInvitations+w.String()+` for no key update of i`, w.Args)
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = fault.NoRecord()
	}
	return i, err
}

// InsertInvitation stores an invitation, in the place of an expired one for the same address. If
// the address is invited already it is a conflict.
func InsertInvitation(ctx context.Context, s *db.Store, i Invitation) error {
	source, conflict := "namespace_id", "invitations_namespace_id_key"
	if i.ProjectID != nil {
		source, conflict = "project_id", "invitations_project_id_key"
	}
	names, args := db.Columns(i)
	n, err := s.Affected(ctx, `
		insert into invitations as i (`+strings.Join(names, ", ")+`) values (@`+strings.Join(names, ", @")+`)
		on conflict (`+source+`, lower(email)) where `+source+` is not null do update
		set (access_level, expires_at, token, created_by_id, created_at, updated_at) =
		    (excluded.access_level, excluded.expires_at, excluded.token, excluded.created_by_id, excluded.created_at,
		      excluded.updated_at)
		where not `+unexpiredInvitation, args)
	if err == nil && n == 0 {
		err = fault.Conflict(Refusals[conflict].Conflict)
	}
	return err
}

// updateInvitation stores an invitation and returns it.
func updateInvitation(ctx context.Context, s *db.Store, i Invitation) (Invitation, error) {
	if err := s.Update(ctx, "invitations", i); err != nil {
		return i, err
	}
	return db.One[Invitation](ctx, s, "", selectInvitations+` where i.id = @id`, pgx.NamedArgs{"id": i.ID})
}

// removeInvitation deletes an invitation.
func removeInvitation(ctx context.Context, s *db.Store, id int64) error {
	return s.Exec(ctx, `delete from invitations where id = @id`, pgx.NamedArgs{"id": id})
}

// acceptedInvitation is an invitation and the user who has confirmed its address.
type acceptedInvitation struct {
	Invitation
	UserID int64 `db:"user_id"`
}

func (a acceptedInvitation) member() Member {
	return Member{
		UserID: a.UserID, NamespaceID: a.NamespaceID, ProjectID: a.ProjectID, AccessLevel: a.AccessLevel,
		ExpiresAt: a.ExpiresAt, CreatedByID: a.CreatedByID,
	}
}

// takeInvitations removes the invitations to confirmed addresses, of one user or, if nil, of all,
// and returns those that have not expired, by id. It leaves invitations to projects with a
// membership lock.
func takeInvitations(ctx context.Context, s *db.Store, user *int64) ([]acceptedInvitation, error) {
	return db.Many[acceptedInvitation](ctx, s, `
		with taken as (
		    delete from invitations i using users u
		    where (u.id = @user or @user::bigint is null) and u.confirmed_at is not null
		      and lower(u.email) = lower(i.email)
		      and not exists (
		        select from projects p
		        join namespaces s on s.id = p.namespace_id
		        join namespaces n on n.id = any(s.traversal_ids)
		        where p.id = i.project_id and `+locksMembership+`)
		    returning i.*, u.id as user_id)
		`+invitationColumns+`, i.user_id from taken i`+invitedBy+`
			where `+unexpiredInvitation+` order by i.id`, pgx.NamedArgs{"user": user})
}

// findConfirmedUsers returns the ids of users who have confirmed one of the addresses, by the
// address as given. The database compares case, because its unique index does.
func findConfirmedUsers(ctx context.Context, s *db.Store, emails []string) (map[string]int64, error) {
	list, err := db.Many[struct {
		Email string `db:"email"`
		ID    int64  `db:"id"`
	}](ctx, s, `
		select asked.email, u.id from unnest(@emails::text[]) asked (email)
			join users u on lower(u.email) = lower(asked.email)
		where u.confirmed_at is not null`,
		pgx.NamedArgs{"emails": emails})
	users := make(map[string]int64, len(list))
	for _, u := range list {
		users[u.Email] = u.ID
	}
	return users, err
}
