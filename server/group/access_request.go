package group

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/tree"
)

// AccessRequest is the wish of a user to become a member of a group or project.
type AccessRequest struct {
	ID int64 `db:"id,auto"`
	db.Container
	UserID      int64       `db:"user_id"`
	RequestedAt time.Time   `db:"requested_at,auto"`
	User        tree.Person `db:"requester,auto"`
}

var selectAccessRequests = `select r.id, r.namespace_id, r.project_id, r.user_id, r.requested_at,
	` + tree.PersonColumn("r.user_id") + ` as requester
	from access_requests r`

// AccessRequests lists the pending requests for access to a source, by id.
func AccessRequests(ctx context.Context, s *db.Store, src tree.Source, p db.Page) ([]AccessRequest, int, error) {
	w := db.NewWhere(nil)
	src.Container().Within(w, "r")
	return db.List[AccessRequest](ctx, s, p, db.Order{}, "r.id", selectAccessRequests, w)
}

// RequestAccess stores that a user, who is r.By, asks for access (gaps §5.2). It fails if the group
// or project takes no requests, or if the user has access or has asked for it already.
func RequestAccess(ctx context.Context, st *db.Store, r Roster, u tree.User) (q AccessRequest, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if err := r.checkMayRequest(ctx, st, u); err != nil {
			return err
		}
		if q, err = InsertAccessRequest(ctx, st, r.Source, u.ID); err != nil {
			return err
		}
		return emitMembersChanged(ctx, st, RequestAdded, q.member(u))
	})
	return q, err
}

func (r Roster) checkMayRequest(ctx context.Context, st *db.Store, u tree.User) error {
	if !r.Requestable || r.By.Admin || r.By.Level > policy.NoAccess || u.Bot {
		return fault.Forbidden("")
	}
	_, err := FindMember(ctx, st, r.Source, u.ID)
	switch {
	case err == nil: // awaits approval
		return fault.Forbidden("")
	case fault.IgnoreNotFound(err) != nil:
		return err
	}
	if !r.Source.InProject() {
		return nil
	}
	asked, err := db.Value[bool](ctx, st, `
		select exists (select from access_requests r where r.user_id = @user and r.namespace_id = any(@namespaces))`,
		pgx.NamedArgs{"user": u.ID, "namespaces": r.Source.Namespaces})
	if err == nil && asked { // in the group, which the project inherits members from
		err = fault.Forbidden("")
	}
	return err
}

// ApproveAccess makes a member of a user who asked for access, and returns the membership (gaps
// §5.2). It fails if r.By cannot grant the role.
func ApproveAccess(ctx context.Context, st *db.Store, r Roster, userID int64, role Role) (m Member, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if _, err := holdAccessRequest(ctx, st, r.Source, userID); err != nil {
			return err
		}
		added, err := AddMembers(ctx, st, r, UserRefs{IDs: []int64{userID}}, role)
		if err != nil {
			return err
		}
		m = added[0].Member
		return added[0].Err
	})
	return m, err
}

// RemoveAccessRequest removes the request of a user: r.By denies it, or withdraws their own (gaps
// §5.2). It calls check with the time of the request, and removes nothing if that returns an error.
func RemoveAccessRequest(
	ctx context.Context, st *db.Store, r Roster, userID int64, check func(context.Context, time.Time) error,
) error {
	return st.Tx(ctx, func(st *db.Store) error {
		if userID != r.By.ID { // users who withdraw their requests need no rights
			if err := r.holdManager(ctx, st); err != nil {
				return err
			}
		}
		q, err := holdAccessRequest(ctx, st, r.Source, userID)
		if err != nil {
			return err
		}
		if err := check(ctx, q.RequestedAt); err != nil {
			return err
		}
		u, err := tree.FindUser(ctx, st, userID)
		if err != nil {
			return err
		}
		if err := st.Exec(ctx, `delete from access_requests where id = @id`, pgx.NamedArgs{"id": q.ID}); err != nil {
			return err
		}
		return emitMembersChanged(ctx, st, RequestRemoved, q.member(u))
	})
}

// InsertAccessRequest stores a request and returns it.
func InsertAccessRequest(ctx context.Context, s *db.Store, src tree.Source, userID int64) (AccessRequest, error) {
	id, err := s.Insert(ctx, "access_requests", AccessRequest{Container: src.Container(), UserID: userID})
	if err != nil {
		return AccessRequest{}, err
	}
	return db.One[AccessRequest](ctx, s, "", selectAccessRequests+` where r.id = @id`, pgx.NamedArgs{"id": id})
}

// holdAccessRequest reads and locks the request of a user, or returns a not-found fault.
func holdAccessRequest(ctx context.Context, s *db.Store, src tree.Source, userID int64) (AccessRequest, error) {
	w := db.NewWhere(nil)
	src.Container().Within(w, "r")
	w.And(`r.user_id = @user`, userID)
	q, err := db.One[AccessRequest](ctx, s, "", selectAccessRequests+w.String()+` for update of r`, w.Args)
	switch {
	case err == nil:
		err = s.Locked(ctx)
	case fault.CodeOf(err) == fault.CodeNotFound:
		err = fault.NoRecord()
	}
	return q, err
}

// member returns the membership that the events of a request show. Its level is the one that an
// approval grants by default.
func (q AccessRequest) member(u tree.User) Member {
	return Member{
		UserID: u.ID, NamespaceID: q.NamespaceID, ProjectID: q.ProjectID, AccessLevel: int(policy.Developer),
		CreatedAt: q.RequestedAt, UpdatedAt: q.RequestedAt,
		Username: u.Username, Name: u.Name, Email: u.Email, PublicEmail: u.PublicEmail,
	}
}
