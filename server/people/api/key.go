package api

import (
	"context"
	"net/http"
	"slices"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/people"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
)

// keyOwner is a scope: the user whose keys a route is about.
type keyOwner struct {
	scope.Anyone
	user tree.User
}

// ownKeys returns a guard of routes about the caller's keys.
func ownKeys(scopes ...string) rest.Guard[keyOwner] {
	return scope.As(scope.ForSigned(scopes...), func(s scope.Signed) keyOwner {
		return keyOwner{s.Anyone, s.Caller.User}
	})
}

// keysOf returns a guard of routes about the keys of the user of the path, by id or username.
func keysOf[S any](g rest.Guard[S], anyone func(S) scope.Anyone) rest.Guard[keyOwner] {
	return rest.Guard[keyOwner]{Need: g.Need, Open: func(ctx context.Context, r *http.Request) (keyOwner, error) {
		s, err := g.Open(ctx, r)
		if err != nil {
			return keyOwner{}, err
		}
		caller := anyone(s)
		u, err := tree.UserByRef(ctx, caller.Store, r.PathValue("id"))
		if fault.CodeOf(err) == fault.CodeNotFound {
			err = fault.NotFound("User")
		}
		return keyOwner{caller, u}, err
	}}
}

// keyHandlers are the handlers of the routes for keys of one kind. In are the parameters of a new
// key.
type keyHandlers[T, In any] struct {
	table  people.KeyTable[T]
	create rest.Handler[keyOwner, In, T]
	remove func(context.Context, *db.Store, tree.User, int64) error
}

// routes returns the routes for the keys of the caller and of any user, whose keys everybody reads
// and administrators write (more-2 §8.4).
func (h keyHandlers[T, In]) routes(name string) []rest.Route {
	anyone := keysOf(scope.ForAnyone("read_user"), func(s scope.Anyone) scope.Anyone { return s })
	admin := keysOf(scope.ForAdmin(), func(s scope.Admin) scope.Anyone { return s.Anyone })
	at := func(path string, read, write rest.Guard[keyOwner]) []rest.Route {
		return []rest.Route{
			rest.Get(path, read, h.list),
			rest.Get(path+"/{key_id}", read, h.show),
			rest.Post(path, write, h.create),
			rest.Delete(path+"/{key_id}", write, h.delete),
		}
	}
	return slices.Concat(
		at("/user/"+name, ownKeys("read_user"), ownKeys()), at("/users/{id}/"+name, anyone, admin),
	)
}

type keyList struct{ rest.Paging }

func (h keyHandlers[T, In]) list(ctx context.Context, s keyOwner, in keyList) (rest.List[T], error) {
	same := func(k T) T { return k }
	return rest.Pages(same)(h.table.List(ctx, s.Store, s.user.ID, scope.PageOf(in.Paging)))
}

type keyID struct {
	KeyID int64 `param:"key_id"`
}

func (h keyHandlers[T, In]) show(ctx context.Context, s keyOwner, in keyID) (T, error) {
	return h.table.One(ctx, s.Store, s.user.ID, in.KeyID)
}

func (h keyHandlers[T, In]) delete(ctx context.Context, s keyOwner, in keyID) (rest.None, error) {
	return rest.None{}, h.remove(ctx, s.Store, s.user, in.KeyID)
}

// sshKeys are the SSH keys of users.
type sshKeys struct{ *view.Site }

func (a sshKeys) routes() []rest.Route {
	handlers := keyHandlers[people.SSHKey, sshKeyNew]{
		table: people.SSHKeys, create: a.create, remove: people.RemoveSSHKey,
	}
	admin := scope.ForAdmin()
	return slices.Concat(handlers.routes("keys"), []rest.Route{
		rest.Get("/keys", admin, a.byFingerprint),
		rest.Get("/keys/{id}", admin, a.byID),
	})
}

type sshKeyNew struct {
	Title     string     `param:"title,required,notempty"`
	Key       string     `param:"key,required,notempty"`
	ExpiresAt *time.Time `param:"expires_at"`
	UsageType string     `param:"usage_type" default:"auth_and_signing" oneof:"auth_and_signing auth signing"`
}

func (sshKeys) create(ctx context.Context, s keyOwner, in sshKeyNew) (people.SSHKey, error) {
	return people.AddSSHKey(ctx, s.Store, s.user, people.SSHKey{
		Title: in.Title, Key: in.Key, ExpiresAt: in.ExpiresAt, UsageType: in.UsageType,
	})
}

// ownedKey is an SSH key with its user.
type ownedKey struct {
	people.SSHKey
	User userView `json:"user"`
}

// find returns the answer about the SSH key that satisfies a condition.
func (a sshKeys) find(ctx context.Context, s scope.Admin, cond db.Condition) (ownedKey, error) {
	k, err := people.SSHKeys.Find(ctx, s.Store, cond)
	if err != nil {
		return ownedKey{}, err
	}
	u, err := tree.FindUser(ctx, s.Store, k.UserID)
	return ownedKey{k, users(a).publicView(u)}, err
}

func (a sshKeys) byID(ctx context.Context, s scope.Admin, in rest.ByID) (ownedKey, error) {
	return a.find(ctx, s, db.ByID(in.ID))
}

type keyFingerprint struct {
	Fingerprint string `param:"fingerprint,required,notempty"`
}

func (a sshKeys) byFingerprint(ctx context.Context, s scope.Admin, in keyFingerprint) (ownedKey, error) {
	return a.find(ctx, s, people.ByFingerprint(in.Fingerprint))
}

type gpgKeyNew struct {
	Key string `param:"key,required,notempty"`
}

// gpgKeys returns the routes for the OpenPGP keys of users. No signature is stored, so revoking a
// key is deleting it.
func gpgKeys() []rest.Route {
	handlers := keyHandlers[people.GPGKey, gpgKeyNew]{
		table: people.GPGKeys,
		create: func(ctx context.Context, s keyOwner, in gpgKeyNew) (people.GPGKey, error) {
			return people.AddGPGKey(ctx, s.Store, s.user, in.Key)
		},
		remove: people.RemoveGPGKey,
	}
	admin := keysOf(scope.ForAdmin(), func(s scope.Admin) scope.Anyone { return s.Anyone })
	return append(handlers.routes("gpg_keys"),
		rest.Post("/user/gpg_keys/{key_id}/revoke", ownKeys(), handlers.delete).Status(http.StatusAccepted),
		rest.Post("/users/{id}/gpg_keys/{key_id}/revoke", admin, handlers.delete).Status(http.StatusAccepted),
	)
}
