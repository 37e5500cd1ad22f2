package people

import (
	"context"
	"math"
	"strings"

	"hew/schema/catalogue"
	"hew/server/check"
	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/setting"
	"hew/server/tree"
)

// FillUser edits a user. A field that is reset to its default becomes what it is in fresh, a new
// user of this instance.
type FillUser func(u *tree.User, fresh tree.User)

// CreateUser creates a user with the defaults of the instance, as edited by fill. Without a
// password nobody can sign in to the account until one is set.
func CreateUser(
	ctx context.Context, st *db.Store, password string, fill FillUser, by tree.User,
) (tree.User, error) {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return tree.User{}, err
	}
	var told tree.User // defaults depend on the e-mail address
	fill(&told, tree.User{})
	u := NewUser(settings, told.Email)
	u.CreatedByID = &by.ID
	fill(&u, NewUser(settings, told.Email))
	if password != "" {
		if u.PasswordDigest, err = hashPassword(password, settings); err != nil {
			return u, err
		}
	}
	if err := checkUser(u); err != nil {
		return u, err
	}
	err = st.Tx(ctx, func(st *db.Store) error {
		if u, err = tree.CreateUser(ctx, st, u); err != nil {
			return err
		}
		if err := event.Emit(ctx, st, Created{u}); err != nil {
			return err
		}
		return event.Emit(ctx, st, EmailConfirmed{&u.ID})
	})
	return u, err
}

// ChangeUser locks a user, applies fill, and stores the outcome; a password that is not nil
// replaces the old one. It never changes the state, and refuses administrators who would demote
// themselves.
func ChangeUser(
	ctx context.Context, st *db.Store, id int64, password *string, fill FillUser, by tree.User,
) (u tree.User, err error) {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return u, err
	}
	err = st.Tx(ctx, func(st *db.Store) error {
		was, err := tree.HoldUser(ctx, st, id)
		if err != nil {
			return err
		}
		u = was
		fill(&u, NewUser(settings, was.Email))
		if u.ID == by.ID && was.Admin && !u.Admin {
			return fault.Forbidden("administrators cannot take that right from themselves")
		}
		u.State = was.State
		if password != nil {
			if u.PasswordDigest, err = hashPassword(*password, settings); err != nil {
				return err
			}
		}
		if err := checkUser(u); err != nil {
			return err
		}
		if u, err = tree.UpdateUser(ctx, st, u); err != nil {
			return err
		}
		if u.Username != was.Username {
			if err := event.Emit(ctx, st, Renamed{u, was.Username}); err != nil {
				return err
			}
		}
		return event.Emit(ctx, st, EmailConfirmed{&u.ID})
	})
	return u, err
}

// NewUser returns a user with the defaults of the instance for an e-mail address.
func NewUser(s setting.Settings, email string) tree.User {
	u := tree.NewUser("", "", "")
	u.CanCreateGroup, u.PrivateProfile = s.CanCreateGroup, s.PrivateProfiles
	u.ProjectsLimit = min(s.DefaultProjectsLimit, math.MaxInt32) // more than can be kept is as good as no limit
	u.External = s.UserDefaultExternal && !setting.Inside(s, email)
	return u
}

// checkUser returns a fault about the fields of a user, if any is invalid. The username is the path
// of the personal namespace.
func checkUser(u tree.User) error {
	var wrong check.Problems
	wrong.On("username", check.Username(u.Username)...)
	if !catalogue.IsEmail(u.Email) {
		wrong.On("email", "is invalid")
	}
	switch {
	case strings.TrimSpace(u.Name) == "":
		wrong.On("name", check.Blank)
	case len([]rune(u.Name)) > 255:
		wrong.On("name", check.TooLong)
	}
	return wrong.Err()
}

// RemoveUser blocks a user and enqueues the removal. It returns a conflict if the user is the only
// owner of a group, unless job.Hard is set. A user that hewd acts as is forbidden to remove.
func RemoveUser(ctx context.Context, st *db.Store, job RemovalJob) error {
	return st.Tx(ctx, func(st *db.Store) error {
		// One at a time: of two owners of a group each would count on the other.
		if err := st.Exclusively(ctx, "removal of users"); err != nil {
			return err
		}
		switch internal, err := isInternal(ctx, st, job.ID); {
		case err != nil:
			return err
		case internal:
			return fault.Forbidden("This user has what removed users wrote, or acts on alerts, and stays.")
		}
		sole, err := tree.SoleGroups(ctx, st, job.ID, tree.OwnerFilter{Active: true})
		switch {
		case err != nil:
			return err
		case len(sole) > 0 && !job.Hard:
			return fault.Conflict("User cannot be removed - is sole owner of a group")
		}
		if _, err := tree.SetUserState(ctx, st, job.ID, "blocked", "active", "deactivated", "banned",
			pendingApproval); err != nil {
			return err
		}
		return jobs.Enqueue(ctx, st, job)
	})
}

// RemovalJob removes a user with the personal namespace and, if Hard, the groups that only this
// user owns.
type RemovalJob struct {
	ID   int64 `json:"id"`
	Hard bool  `json:"hard"`
}

// Kind returns the name of the job.
func (RemovalJob) Kind() string { return "remove_user" }
