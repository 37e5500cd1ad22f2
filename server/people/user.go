package people

import (
	"context"
	"math"
	"strings"

	"hew/server/check"
	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/setting"
	"hew/server/tree"
)

// FillUser changes a user. What is to go back to its default becomes what it is in fresh, a new user of this instance.
type FillUser func(u *tree.User, fresh tree.User)

// CreateUser creates a user with the defaults of the instance and what fill makes of them. Without a password there is
// none that signs him in: the account waits for a reset, or signs in elsewhere.
func CreateUser(
	ctx context.Context, st *db.Store, password string, fill FillUser, by tree.User,
) (tree.User, error) {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return tree.User{}, err
	}
	var told tree.User // his address has to be known first: it says what he is by default
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
		return event.Emit(ctx, st, EmailConfirmed{&u.ID})
	})
	return u, err
}

// ChangeUser lets fill edit a user as he is stored, while nobody else can change him, and stores the outcome; with a
// password that is not nil he signs in by that one from now on. Nobody takes the rights of an administrator from himself,
// and nobody's state is changed here.
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
		return event.Emit(ctx, st, EmailConfirmed{&u.ID})
	})
	return u, err
}

// NewUser is a user with the defaults of the instance for somebody with this e-mail address.
func NewUser(s setting.Settings, email string) tree.User {
	u := tree.NewUser("", "", "")
	u.CanCreateGroup, u.PrivateProfile = s.CanCreateGroup, s.PrivateProfiles
	u.ProjectsLimit = min(s.DefaultProjectsLimit, math.MaxInt32) // more than can be kept is as good as no limit
	u.External = s.UserDefaultExternal && !setting.Inside(s, email)
	return u
}

// checkUser says what is wrong with the fields of a user, if anything. His name is the path of his personal namespace.
func checkUser(u tree.User) error {
	var wrong check.Problems
	wrong.On("username", check.Username(u.Username)...)
	if !check.EmailPattern.MatchString(u.Email) {
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

// RemoveUser locks a user out now and removes him in the background. Groups that he alone owns would be nobody's: they
// stand in the way, unless they are to go with him (hard).
func RemoveUser(ctx context.Context, st *db.Store, id int64, hard bool) error {
	return st.Tx(ctx, func(st *db.Store) error {
		// One at a time: two owners of a group would each count on the other.
		if err := st.Exclusively(ctx, "removal of users"); err != nil {
			return err
		}
		sole, err := tree.SoleGroups(ctx, st, id, true)
		switch {
		case err != nil:
			return err
		case len(sole) > 0 && !hard:
			return fault.Conflict("User cannot be removed - is sole owner of a group")
		}
		if _, err := tree.SetUserState(ctx, st, id, "blocked", "active", "deactivated", "banned", pending); err != nil {
			return err
		}
		return jobs.Enqueue(ctx, st, RemovalJob{ID: id, Hard: hard})
	})
}
