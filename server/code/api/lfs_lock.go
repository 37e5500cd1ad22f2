package api

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"

	"hew/server/code"
	"hew/server/policy"
	"hew/server/rest"
)

// lockRoutes are those of locks: only one user may change a locked path (more-2 §8.1).
func (a lfs) lockRoutes() []rest.Route {
	const locks = "/git/{repository}/info/lfs/locks"
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

// maxLocks is how many locks a page has, and how many a client can ask for.
const maxLocks = 1000

type lfsLocks struct {
	Path   string `param:"path"`
	ID     int64  `param:"id"`
	Cursor int64  `param:"cursor"` // the id of the last lock of the page before
	Limit  int    `param:"limit"`
}

// page returns the locks that are asked for, and the cursor of the next page, "" on the last one.
func (in lfsLocks) page(ctx context.Context, c client) (locks []code.LFSLock, next string, err error) {
	limit := in.Limit
	if limit <= 0 || limit > maxLocks {
		limit = maxLocks
	}
	locks, err = code.LFSLocks(ctx, c.Store, c.Project.ID, code.LFSLockFilter{
		Path: in.Path, ID: in.ID, After: in.Cursor, Limit: limit + 1, // one more tells whether there is a next page
	})
	if len(locks) > limit {
		locks = locks[:limit]
		next = strconv.FormatInt(locks[limit-1].ID, 10)
	}
	return locks, next, err
}

type lfsLockPage struct {
	Locks []lfsLockView `json:"locks"`
	Next  string        `json:"next_cursor,omitempty"`
}

func (a lfs) listLocks(ctx context.Context, c client, in lfsLocks) (rest.Raw, error) {
	locks, next, err := in.page(ctx, c)
	if err != nil {
		return nil, err
	}
	page := lfsLockPage{[]lfsLockView{}, next}
	for _, l := range locks {
		page.Locks = append(page.Locks, lfsLockViewOf(l))
	}
	return a.answer(http.StatusOK, page), nil
}

// readJSON reads the body of a request, which may be empty.
func (in gitBody) readJSON(value any) error {
	if err := json.NewDecoder(in.Reader).Decode(value); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
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
	case errors.Is(err, code.ErrLocked) && l.ID == 0:
		return a.refuse(http.StatusConflict, "The path was unlocked at this moment. Lock it again."), nil
	case errors.Is(err, code.ErrLocked):
		return a.alreadyLocked(l), nil
	case err != nil:
		return nil, err
	}
	return a.answer(http.StatusCreated, map[string]any{"lock": lfsLockViewOf(l)}), nil
}

// alreadyLocked refuses a lock, and says which one is in its way.
func (a lfs) alreadyLocked(l code.LFSLock) rest.Raw {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.answer(http.StatusConflict, struct {
			Lock lfsLockView `json:"lock"`
			lfsError
		}{lfsLockViewOf(l), newLFSError(r, "already locked")}).ServeHTTP(w, r)
	})
}

type lfsVerifiedLocks struct {
	Ours   []lfsLockView `json:"ours"`
	Theirs []lfsLockView `json:"theirs"`
	Next   string        `json:"next_cursor,omitempty"`
}

// verifyLocks tells a client before a push which locks are its own.
func (a lfs) verifyLocks(ctx context.Context, c client, in gitBody) (rest.Raw, error) {
	var asked struct {
		Cursor int64 `json:"cursor,string"`
		Limit  int   `json:"limit"`
	}
	if err := in.readJSON(&asked); err != nil {
		return a.refuse(http.StatusUnprocessableEntity,
			"The body is not the JSON of a list of locks, with the cursor of an earlier answer."), nil
	}
	locks, next, err := lfsLocks{Cursor: asked.Cursor, Limit: asked.Limit}.page(ctx, c)
	if err != nil {
		return nil, err
	}
	page := lfsVerifiedLocks{[]lfsLockView{}, []lfsLockView{}, next}
	for _, l := range locks {
		if l.UserID == c.Caller.ID() {
			page.Ours = append(page.Ours, lfsLockViewOf(l))
		} else {
			page.Theirs = append(page.Theirs, lfsLockViewOf(l))
		}
	}
	return a.answer(http.StatusOK, page), nil
}

type lfsUnlock struct {
	LockID int64 `param:"lock_id"`
	gitBody
}

// unlock removes a lock of the caller's own or, with force, one of somebody else.
func (a lfs) unlock(ctx context.Context, c client, in lfsUnlock) (rest.Raw, error) {
	var asked struct {
		Force bool `json:"force"`
	}
	if err := in.readJSON(&asked); err != nil {
		return a.refuse(http.StatusUnprocessableEntity, `The body is not JSON such as {"force":true}.`), nil
	}
	locks, err := code.LFSLocks(ctx, c.Store, c.Project.ID, code.LFSLockFilter{ID: in.LockID, Limit: 1})
	switch {
	case err != nil:
		return nil, err
	case len(locks) == 0 || in.LockID == 0: // the filter takes 0 for any
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
