package protect_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/policy"
	"hew/server/protect"
	"hew/server/rest"
	"hew/server/servertest"
)

// allow returns an edit that lets users act on a ref.
func allow(act protect.RefAct, users ...int64) protect.RefEdit {
	edit := protect.RefEdit{Grants: map[protect.RefAct][]protect.RefGrant{}}
	for _, id := range users {
		edit.Grants[act] = append(edit.Grants[act], protect.RefGrant{RefLevel: protect.RefLevel{UserID: &id}})
	}
	return edit
}

// usersOf returns the ids of the users who may act on a ref.
func usersOf(r protect.ProtectedRef, act protect.RefAct) (ids []int64) {
	for _, l := range r.LevelsOf(act) {
		if l.UserID != nil {
			ids = append(ids, *l.UserID)
		}
	}
	return ids
}

// shielded is a project with two members and the protected branch main.
type shielded struct {
	servertest.World
	key      protect.RefKey
	ann, bob int64
}

func newShielded(t *testing.T) shielded {
	t.Helper()
	w := servertest.NewWorld(t)
	alice, ann, bob := w.User("alice"), w.User("ann"), w.User("bob")
	p := w.Project("site", w.Group("acme", nil, alice.ID).ID, alice.ID)
	for _, u := range []int64{ann.ID, bob.ID} {
		w.Member(group.Member{ProjectID: &p.ID, UserID: u, AccessLevel: int(policy.Maintainer)})
	}
	key := protect.RefKey{In: p.Container(), Kind: protect.Branch, Name: "main"}
	_, err := protect.CreateProtectedRef(t.Context(), w.Store, key, protect.RefEdit{})
	require.NoError(t, err)
	return shielded{w, key, ann.ID, bob.ID}
}

// meanwhile makes first in a transaction that is committed when second waits for its lock, and
// returns the error of second.
func (w shielded) meanwhile(t *testing.T, first, second func(*db.Store) error) error {
	t.Helper()
	tx, finish, err := w.Store.Begin(t.Context())
	require.NoError(t, err)
	require.NoError(t, first(tx))
	done := make(chan error, 1)
	go func() { done <- second(w.Store) }()
	servertest.AwaitLock(t, w.Store)
	require.NoError(t, finish(nil))
	return <-done
}

func (w shielded) change(t *testing.T, edit protect.RefEdit) func(*db.Store) error {
	return func(st *db.Store) error {
		_, err := protect.ChangeProtectedRef(t.Context(), st, w.key, policy.Who{Admin: true}, edit)
		return err
	}
}

// Two callers who each add a user at once do not undo each other.
func TestConcurrentEditsKeepAllLevels(t *testing.T) {
	t.Parallel()
	w := newShielded(t)
	err := w.meanwhile(t, w.change(t, allow(protect.Push, w.ann)), w.change(t, allow(protect.Push, w.bob)))
	require.NoError(t, err)
	r, err := protect.ProtectedRefs(w.Store, w.key.In, w.key.Kind).One(t.Context(), protect.RefByName("main"))
	require.NoError(t, err)
	require.Equal(t, []int64{w.ann, w.bob}, usersOf(r, protect.Push))
}

// unprotects are the two requests that only those who may unprotect a ref can make.
var unprotects = map[string]func(*testing.T, shielded, *db.Store, policy.Who) error{
	"remove": func(t *testing.T, w shielded, st *db.Store, by policy.Who) error {
		return protect.RemoveProtection(t.Context(), st, w.key, by, rest.Unmodified)
	},
	"change": func(t *testing.T, w shielded, st *db.Store, by policy.Who) error {
		_, err := protect.ChangeProtectedRef(t.Context(), st, w.key, by, protect.RefEdit{})
		return err
	},
}

// A caller who is excluded from unprotecting a branch while the request waits cannot do it.
func TestUnprotectIsCheckedUnderTheLock(t *testing.T) {
	t.Parallel()
	for name, unprotect := range unprotects {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newShielded(t)
			onlyAnn := allow(protect.Unprotect, w.ann)
			r, err := protect.ProtectedRefs(w.Store, w.key.In, w.key.Kind).One(
				t.Context(), protect.RefByName("main"))
			require.NoError(t, err)
			role := r.LevelsOf(protect.Unprotect)[0]
			onlyAnn.Grants[protect.Unprotect] = append(onlyAnn.Grants[protect.Unprotect],
				protect.RefGrant{RefLevel: protect.RefLevel{ID: role.ID}, Remove: true})
			err = w.meanwhile(t, w.change(t, onlyAnn), func(st *db.Store) error {
				return unprotect(t, w, st, policy.Who{ID: w.bob, Level: policy.Maintainer})
			})
			require.Equal(t, fault.CodeForbidden, fault.CodeOf(err))
		})
	}
}

// A caller whose role is lowered while the request waits cannot unprotect a branch, either.
func TestUnprotectReadsTheLevelUnderTheLock(t *testing.T) {
	t.Parallel()
	for name, unprotect := range unprotects {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newShielded(t)
			err := w.meanwhile(t, func(st *db.Store) error {
				if err := w.change(t, protect.RefEdit{})(st); err != nil { // takes the lock
					return err
				}
				return st.Exec(t.Context(), `update members set access_level = @level where user_id = @user`,
					pgx.NamedArgs{"level": policy.Developer, "user": w.bob})
			}, func(st *db.Store) error {
				return unprotect(t, w, st, policy.Who{ID: w.bob, Level: policy.Maintainer})
			})
			require.Equal(t, fault.CodeForbidden, fault.CodeOf(err))
		})
	}
}

// An edit is read only: what is protected by default is not written into it.
func TestCreateProtectedRefKeepsItsEdit(t *testing.T) {
	t.Parallel()
	w := newShielded(t)
	edit := protect.RefEdit{Roles: map[protect.RefAct]*int{protect.Push: new(30)}}
	for _, name := range []string{"a", "b"} {
		key := w.key
		key.Name = name
		r, err := protect.CreateProtectedRef(t.Context(), w.Store, key, edit)
		require.NoError(t, err)
		assert.Equal(t, 30, *r.LevelsOf(protect.Push)[0].AccessLevel)
		assert.Equal(t, int(policy.Maintainer), *r.LevelsOf(protect.Merge)[0].AccessLevel)
	}
	require.Len(t, edit.Roles, 1)
}
