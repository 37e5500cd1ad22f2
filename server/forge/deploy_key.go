package forge

import (
	"context"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"hew/server/fault"
	"hew/server/store"
)

// CreateDeployKey makes a deploy key that any project may enable.
func CreateDeployKey(ctx context.Context, st *store.Store, k store.DeployKey) (store.DeployKey, error) {
	k.Public = true
	key, err := identify(&k)
	if err == nil {
		err = checkDeployKey(ctx, st, k, key)
	}
	if err != nil {
		return k, err
	}
	return st.CreateDeployKey(ctx, k)
}

// AddDeployKey gives a project a deploy key. One that it has already stays as it is; one that the host knows is enabled, if
// whoever asks may have it.
func AddDeployKey(
	ctx context.Context, st *store.Store, in store.Container, by store.Viewer, k store.DeployKey, canPush bool,
) (e store.EnabledKey, err error) {
	key, err := identify(&k)
	if err != nil {
		return e, err
	}
	err = st.Tx(ctx, func(st *store.Store) error {
		which := store.DeployKeyByPrint(k.FingerprintSHA256)
		if e, err = st.EnabledKeys(in).One(ctx, which); fault.CodeOf(err) != fault.CodeNotFound {
			return err
		}
		known, err := st.DeployKeyFor(ctx, by, which)
		if fault.CodeOf(err) == fault.CodeNotFound {
			if err := checkDeployKey(ctx, st, k, key); err != nil {
				return err
			}
			known, err = st.CreateDeployKey(ctx, k)
		}
		if err != nil {
			return err
		}
		e, err = enable(ctx, st, in, known, canPush)
		return err
	})
	return e, err
}

// EnableDeployKey lets a project have a deploy key that the host knows, to read with, if whoever asks may have it.
func EnableDeployKey(
	ctx context.Context, st *store.Store, in store.Container, by store.Viewer, id int64,
) (k store.DeployKey, err error) {
	err = st.Tx(ctx, func(st *store.Store) error {
		if k, err = st.DeployKeyFor(ctx, by, store.DeployKeyByID(id)); err != nil {
			return err
		}
		_, err := st.EnabledKeys(in).One(ctx, store.DeployKeyByID(id))
		if fault.CodeOf(err) == fault.CodeNotFound {
			_, err = enable(ctx, st, in, k, false)
		}
		return err
	})
	return k, err
}

func enable(
	ctx context.Context, st *store.Store, in store.Container, k store.DeployKey, canPush bool,
) (store.EnabledKey, error) {
	return st.EnabledKeys(in).Create(ctx, store.EnabledKey{ProjectID: in.ID(), DeployKeyID: k.ID, CanPush: canPush})
}

// ChangeDeployKey changes what a project lets be done with a deploy key, and the title that the key has in all projects. That
// of a public key is the administrators'; others leave it as it is.
func ChangeDeployKey(
	ctx context.Context, st *store.Store, in store.Container, by store.Viewer, id int64, change func(*store.EnabledKey) error,
) (e store.EnabledKey, err error) {
	err = st.Tx(ctx, func(st *store.Store) error {
		e, err = st.EnabledKeys(in).Change(ctx, store.DeployKeyByID(id), func(e *store.EnabledKey) error {
			if err := change(e); err != nil {
				return err
			}
			var wrong problems
			if checkTitle(&wrong, e.Key.Title); wrong.fault != nil || e.Key.Public && !by.All {
				return wrong.err()
			}
			return st.RenameDeployKey(ctx, id, e.Key.Title)
		})
		return err
	})
	return e, err
}

// DisableDeployKey takes a deploy key away from a project, unless the time when it was changed last there speaks against it.
func DisableDeployKey(
	ctx context.Context, st *store.Store, in store.Container, id int64, unless func(context.Context, time.Time) error,
) error {
	e, err := st.EnabledKeys(in).One(ctx, store.DeployKeyByID(id))
	if err != nil {
		return err
	}
	return st.EnabledKeys(in).Delete(ctx, store.ByID(e.ID), unless)
}

// identify reads the key and notes by what it is recognized.
func identify(k *store.DeployKey) (ssh.PublicKey, error) {
	k.Key = strings.TrimSpace(k.Key)
	key, err := parseKey(k.Key)
	if err != nil {
		return nil, err
	}
	k.Fingerprint, k.FingerprintSHA256 = ssh.FingerprintLegacyMD5(key), ssh.FingerprintSHA256(key)
	return key, nil
}

// checkDeployKey says what is wrong with a new deploy key, if anything.
func checkDeployKey(ctx context.Context, st *store.Store, k store.DeployKey, key ssh.PublicKey) error {
	settings, err := st.Settings(ctx)
	if err != nil {
		return err
	}
	var wrong problems
	checkTitle(&wrong, k.Title)
	if weak := weakKey(key, settings.KeyRestrictions); weak != "" {
		wrong.on("key", weak)
	}
	if k.ExpiresAt != nil && !k.ExpiresAt.After(time.Now()) {
		wrong.on("key", "has expired")
	}
	return wrong.err()
}

func checkTitle(wrong *problems, title string) {
	if wrong.fits("title", title, 255) && strings.TrimSpace(title) == "" {
		wrong.on("title", "can't be blank")
	}
}
