package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"hew/server/fault"
	"hew/server/instance"
	"hew/server/rest"
	"hew/server/scope"
)

// terraformStates are the routes of Terraform's HTTP backend, which hew's ledger uses as well. The
// specification does not have them; they follow the public service, whose documentation locks by
// POST and DELETE. Terraform itself uses LOCK and UNLOCK unless it is configured, at the address
// that it is configured with.
type terraformStates struct{}

// maxLock is how many bytes a lock may have.
const maxLock = 64 << 10

func (a terraformStates) routes() []rest.Route {
	const state = "/projects/{id}/terraform/state/{name}"
	const lock, version = state + "/lock", state + "/versions/{serial}"
	read, admin := scope.ForProject(readTerraformState), scope.ForProject(adminTerraformState)
	return []rest.Route{
		rest.Get(state, read, a.show),
		rest.Post(state, admin, a.save).Status(http.StatusOK).WithoutTransaction(), // for the body
		rest.Delete(state, admin, a.delete).Status(http.StatusOK),
		rest.Post(lock, admin, a.lock).Status(http.StatusOK).Limit(maxLock),
		rest.Post(lock, admin, a.lock).Status(http.StatusOK).Limit(maxLock).WithMethod("LOCK"),
		rest.Post(state, admin, a.lock).Status(http.StatusOK).Limit(maxLock).WithMethod("LOCK"),
		rest.Delete(lock, admin, a.unlock).Status(http.StatusOK).Limit(maxLock),
		rest.Delete(lock, admin, a.unlock).Status(http.StatusOK).Limit(maxLock).WithMethod("UNLOCK"),
		rest.Delete(state, admin, a.unlock).Status(http.StatusOK).Limit(maxLock).WithMethod("UNLOCK"),
		rest.Get(version, read, a.version),
		rest.Delete(version, admin, a.deleteVersion),
	}
}

type stateName struct {
	Name string `param:"name"`
}

// show answers 204 for a state that was locked but never saved.
func (a terraformStates) show(ctx context.Context, s scope.InProject, in stateName) (rest.Raw, error) {
	state, err := instance.TerraformStates(s.Store, s.Project.Container()).One(ctx, instance.TerraformStateBy(in.Name))
	if err != nil {
		return nil, err
	}
	document, _, err := instance.StateVersion(ctx, s.Store, state, nil)
	if fault.CodeOf(err) == fault.CodeNotFound {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }),
			nil
	}
	return saved(document), err
}

// saved answers with a document as it was saved.
func saved(document []byte) rest.Raw {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", fmt.Sprint(len(document)))
		w.Header().Set("Cache-Control", "no-store") // it may hold secrets
		_, _ = w.Write(document)                    // a disconnected client is not our error
	})
}

type stateVersion struct {
	stateName
	Serial int64 `param:"serial"`
}

func (terraformStates) version(ctx context.Context, s scope.InProject, in stateVersion) (rest.Raw, error) {
	state, err := instance.TerraformStates(s.Store, s.Project.Container()).One(ctx, instance.TerraformStateBy(in.Name))
	if err != nil {
		return nil, err
	}
	document, _, err := instance.StateVersion(ctx, s.Store, state, &in.Serial)
	return saved(document), err
}

func (terraformStates) deleteVersion(ctx context.Context, s scope.InProject, in stateVersion) (rest.None, error) {
	state, err := instance.TerraformStates(s.Store, s.Project.Container()).One(ctx, instance.TerraformStateBy(in.Name))
	if err != nil {
		return rest.None{}, err
	}
	return rest.None{}, instance.DeleteStateVersion(ctx, s.Store, state, in.Serial)
}

// stateWrite names the lock that the caller holds.
type stateWrite struct {
	stateName
	Lock string `param:"ID"`
}

type stateSave struct {
	rest.Body
	stateWrite
}

func (terraformStates) save(ctx context.Context, s scope.InProject, in stateSave) (rest.Raw, error) {
	document, err := io.ReadAll(in.Reader)
	if err != nil {
		return nil, err
	}
	return unlessLocked(instance.SaveTerraformState(ctx, s.Store, s.Project.Container(), in.Name, in.Lock, document))
}

func (terraformStates) delete(ctx context.Context, s scope.InProject, in stateWrite) (rest.Raw, error) {
	return unlessLocked(instance.DeleteTerraformState(ctx, s.Store, s.Project.Container(), in.Name, in.Lock))
}

// unlessLocked answers success, or the lock of somebody else.
func unlessLocked(err error) (rest.Raw, error) {
	var locked *instance.StateLockedError
	switch {
	case errors.As(err, &locked):
		return rest.JSON(http.StatusConflict, locked.Holder), nil
	case err != nil:
		return nil, err
	}
	return rest.JSON(http.StatusOK, map[string]string{"message": "200 OK"}), nil
}

// stateLock has the names that Terraform sends. Other clients may leave out everything but the ID.
type stateLock struct {
	stateName
	ID        string `param:"ID,required,notempty"`
	Operation string `param:"Operation"`
	Info      string `param:"Info"`
	Who       string `param:"Who"`
	Version   string `param:"Version"`
	Created   string `param:"Created"`
	Path      string `param:"Path"`
}

func (terraformStates) lock(ctx context.Context, s scope.InProject, in stateLock) (rest.Raw, error) {
	lock := instance.StateLock{
		ID: in.ID, Operation: in.Operation, Info: in.Info, Who: in.Who, Version: in.Version, Created: in.Created,
		Path: in.Path,
	}
	return unlessLocked(instance.LockTerraformState(ctx, s.Store, s.Project.Container(), in.Name, lock))
}

func (terraformStates) unlock(ctx context.Context, s scope.InProject, in stateWrite) (rest.Raw, error) {
	return unlessLocked(instance.UnlockTerraformState(ctx, s.Store, s.Project.Container(), in.Name, in.Lock))
}
