package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"hew/server/code"
	"hew/server/policy"
	"hew/server/rest"
)

// lockRoutes are those of locks: only one user may change a locked path (more-2 §8.1).
func (a lfs) lockRoutes() []rest.Route {
	const locks = "/git/{id}/info/lfs/locks"
	git := smartHTTP{a.log}
	read, write := git.guard(always(uploadPack)), git.guard(always(receivePack))
	post := func(path string, h rest.Handler[client, gitBody, rest.Raw]) rest.Route {
		return rest.Post(path, write, h).Status(http.StatusOK).WithoutTransaction().Limit(maxLFSText)
	}
	return []rest.Route{
		rest.Get(locks, read, a.listLocks),
		post(locks, a.lock),
		post(locks+"/verify", a.verifyLocks),
		rest.Post(locks+"/{lock_id}/unlock", write, a.unlock).Status(http.StatusOK).WithoutTransaction().
			Limit(maxLFSText),
	}
}

type lfsLockView struct {
	ID       string   `json:"id"`
	Path     string   `json:"path"`
	LockedAt string   `json:"locked_at"`
	Owner    lfsOwner `json:"owner"`
}

type lfsOwner struct {
	Name string `json:"name"`
}

func lfsLockViewOf(l code.LFSLock) lfsLockView {
	return lfsLockView{strconv.FormatInt(l.ID, 10), l.Path, l.LockedAt, lfsOwner{l.UserName}}
}

type lfsLocks struct {
	Path string `param:"path"`
}

func (a lfs) listLocks(ctx context.Context, c client, in lfsLocks) (rest.Raw, error) {
	locks, err := code.LFSLocks(ctx, c.Store, c.Project.ID, in.Path, 0)
	if err != nil {
		return nil, err
	}
	views := []lfsLockView{}
	for _, l := range locks {
		views = append(views, lfsLockViewOf(l))
	}
	return a.answer(http.StatusOK, map[string]any{"locks": views}), nil
}

func (a lfs) lock(ctx context.Context, c client, in gitBody) (rest.Raw, error) {
	var asked struct {
		Path string `json:"path"`
	}
	if err := json.NewDecoder(in.Reader).Decode(&asked); err != nil || asked.Path == "" {
		return a.refuse(http.StatusUnprocessableEntity, "The path of the lock is missing."), nil
	}
	l, err := code.LockLFS(ctx, c.Store, c.Project.ID, c.Caller.ID(), asked.Path)
	switch {
	case errors.Is(err, code.ErrLocked):
		return a.answer(http.StatusConflict, map[string]any{"message": "already locked", "lock": lfsLockViewOf(l)}), nil
	case err != nil:
		return nil, err
	}
	return a.answer(http.StatusCreated, map[string]any{"lock": lfsLockViewOf(l)}), nil
}

// verifyLocks tells a client before a push which locks are its own.
func (a lfs) verifyLocks(ctx context.Context, c client, _ gitBody) (rest.Raw, error) {
	locks, err := code.LFSLocks(ctx, c.Store, c.Project.ID, "", 0)
	if err != nil {
		return nil, err
	}
	ours, theirs := []lfsLockView{}, []lfsLockView{}
	for _, l := range locks {
		if l.UserID == c.Caller.ID() {
			ours = append(ours, lfsLockViewOf(l))
		} else {
			theirs = append(theirs, lfsLockViewOf(l))
		}
	}
	return a.answer(http.StatusOK, map[string]any{"ours": ours, "theirs": theirs}), nil
}

type lfsUnlock struct {
	LockID int64 `param:"lock_id"`
	rest.Body
}

// unlock removes a lock of the caller's own or, with force, one of somebody else.
func (a lfs) unlock(ctx context.Context, c client, in lfsUnlock) (rest.Raw, error) {
	var asked struct {
		Force bool `json:"force"`
	}
	_ = json.NewDecoder(in.Reader).Decode(&asked) // an empty body is fine
	locks, err := code.LFSLocks(ctx, c.Store, c.Project.ID, "", in.LockID)
	switch {
	case err != nil:
		return nil, err
	case len(locks) == 0:
		return a.refuse(http.StatusNotFound, "Lock not found"), nil
	}
	l := locks[0]
	switch {
	case l.UserID == c.Caller.ID():
	case !asked.Force:
		return a.refuse(http.StatusForbidden, l.Path+" is locked by GitLab User "+strconv.FormatInt(l.UserID, 10)), nil
	case c.Who().Level < policy.Maintainer && !c.Who().Admin:
		return a.refuse(http.StatusForbidden, "You must have maintainer access to force delete a lock"), nil
	}
	if err := code.UnlockLFS(ctx, c.Store, c.Project.ID, l.ID); err != nil {
		return nil, err
	}
	return a.answer(http.StatusOK, map[string]any{"lock": lfsLockViewOf(l)}), nil
}
