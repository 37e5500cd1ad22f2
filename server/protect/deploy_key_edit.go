package protect

import (
	"context"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/setting"
	"hew/server/sshkey"
	"hew/server/tree"
)

// CreateDeployKey creates a public deploy key, which any project may enable.
func CreateDeployKey(ctx context.Context, st *db.Store, k DeployKey) (DeployKey, error) {
	k.Public = true
	key, err := parseDeployKey(&k)
	if err == nil {
		err = checkDeployKey(ctx, st, k, key)
	}
	if err != nil {
		return k, err
	}
	return insertDeployKey(ctx, st, k)
}

// DeployKeyAccess says what a deploy key may do in a project besides reading.
type DeployKeyAccess struct {
	CanPush bool
}

// AddDeployKey gives a project a deploy key. A key that the project already has stays as it is. A
// key that another project has is enabled if the viewer may use it.
func AddDeployKey(
	ctx context.Context, st *db.Store, in db.Container, by tree.Viewer, k DeployKey, access DeployKeyAccess,
) (e EnabledKey, err error) {
	key, err := parseDeployKey(&k)
	if err != nil {
		return e, err
	}
	err = st.Tx(ctx, func(st *db.Store) error {
		which := deployKeyByPrint(k.FingerprintSHA256)
		if e, err = EnabledKeys(st, in).One(ctx, which); fault.CodeOf(err) != fault.CodeNotFound {
			return err
		}
		known, err := deployKeyFor(ctx, st, by, which)
		if fault.CodeOf(err) == fault.CodeNotFound {
			if err := checkDeployKey(ctx, st, k, key); err != nil {
				return err
			}
			known, err = insertDeployKey(ctx, st, k)
		}
		if err != nil {
			return err
		}
		e, err = enableDeployKey(ctx, st, in, known, access)
		return err
	})
	return e, err
}

// EnableDeployKey enables an existing deploy key in a project, read-only, if the viewer may use it.
func EnableDeployKey(
	ctx context.Context, st *db.Store, in db.Container, by tree.Viewer, id int64,
) (k DeployKey, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if k, err = deployKeyFor(ctx, st, by, DeployKeyByID(id)); err != nil {
			return err
		}
		_, err := EnabledKeys(st, in).One(ctx, DeployKeyByID(id))
		if fault.CodeOf(err) == fault.CodeNotFound {
			_, err = enableDeployKey(ctx, st, in, k, DeployKeyAccess{})
		}
		return err
	})
	return k, err
}

func enableDeployKey(
	ctx context.Context, st *db.Store, in db.Container, k DeployKey, access DeployKeyAccess,
) (EnabledKey, error) {
	return EnabledKeys(st, in).Create(ctx, EnabledKey{ProjectID: in.ID(), DeployKeyID: k.ID, CanPush: access.CanPush})
}

// ChangeDeployKey applies change to a deploy key of a project. The title is that of the key in all
// projects. Only administrators change the title of a public key; for others it stays as it is.
func ChangeDeployKey(
	ctx context.Context, st *db.Store, in db.Container, by tree.Viewer, id int64, change func(*EnabledKey) error,
) (EnabledKey, error) {
	return EnabledKeys(st, in).Change(ctx, DeployKeyByID(id), func(st *db.Store, e *EnabledKey) error {
		was := e.Key.Title
		if err := change(e); err != nil {
			return err
		}
		var wrong check.Problems
		if checkDeployKeyTitle(&wrong, e.Key.Title); wrong.Fault != nil || e.Key.Public && !by.All {
			return wrong.Err()
		}
		if e.Key.Title == was {
			return nil // another project may be changing it
		}
		return renameDeployKey(ctx, st, id, e.Key.Title)
	})
}

// DisableDeployKey removes a deploy key from a project. It fails if unless fails, which gets the
// time of the last change.
func DisableDeployKey(
	ctx context.Context, st *db.Store, in db.Container, id int64, unless func(context.Context, time.Time) error,
) error {
	e, err := EnabledKeys(st, in).One(ctx, DeployKeyByID(id))
	if err != nil {
		return err
	}
	return EnabledKeys(st, in).Delete(ctx, db.ByID(e.ID), unless)
}

// parseDeployKey parses the key and sets its fingerprints.
func parseDeployKey(k *DeployKey) (ssh.PublicKey, error) {
	k.Key = strings.TrimSpace(k.Key)
	key, prints, err := sshkey.Parse(k.Key)
	k.Fingerprints = prints
	return key, err
}

// checkDeployKey returns the problems of a new deploy key.
func checkDeployKey(ctx context.Context, st *db.Store, k DeployKey, key ssh.PublicKey) error {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return err
	}
	var wrong check.Problems
	checkDeployKeyTitle(&wrong, k.Title)
	if weak := sshkey.FindProblem(key, settings.KeyRestrictions); weak != "" {
		wrong.On("key", weak)
	}
	if k.ExpiresAt != nil && !k.ExpiresAt.After(time.Now()) {
		wrong.On("key", "has expired")
	}
	return wrong.Err()
}

func checkDeployKeyTitle(wrong *check.Problems, title string) {
	if wrong.Fits("title", title, 255) && strings.TrimSpace(title) == "" {
		wrong.On("title", check.Blank)
	}
}
