package api

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"

	"hew/server/blob/serve"
	"hew/server/code"
	"hew/server/deadline"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/setting"
	"hew/server/view"
)

// lfs serves git-lfs, which moves large files beside git (more-2 §8.1).
type lfs struct {
	*view.Site
	log *slog.Logger
}

func (a lfs) routes() []rest.Route {
	const base = "/git/{repository}/info/lfs/"
	git := smartHTTP{a.log}
	read, write := git.guard(always(uploadPack)), git.guard(always(receivePack))
	return []rest.Route{
		rest.Post(base+"objects/batch", read, a.batch).Status(http.StatusOK).WithoutTransaction().Limit(maxLFSText),
		rest.Get(base+"objects", read, a.old),
		rest.Post(base+"objects", read, a.old).WithoutTransaction(),
		rest.Get("/git/{repository}/gitlab-lfs/objects/{oid}", read, a.download).Timeout(transferTimeout),
		rest.Put("/git/{repository}/gitlab-lfs/objects/{oid}/{size}", write, a.upload).WithoutTransaction().
			Limit(maxPush).Timeout(transferTimeout),
	}
}

const (
	lfsType    = "application/vnd.git-lfs+json"
	maxLFSText = 4 << 20
	maxBatch   = 1000 // objects of one request
)

// off returns the answer of a project without large files, nil if it has them.
func (a lfs) off(c client) rest.Raw {
	if c.Project.Settings.LFSEnabled {
		return nil
	}
	return a.refuse(http.StatusNotImplemented, "Git LFS is not enabled for this project. Ask an owner to enable it.")
}

// old answers clients of the protocol before batches.
func (a lfs) old(context.Context, client, gitBody) (rest.Raw, error) {
	return a.refuse(http.StatusNotImplemented, "This server has the batch API only. Update git-lfs."), nil
}

type lfsBatch struct {
	Operation string         `json:"operation"`
	Objects   []lfsReference `json:"objects"`
	HashAlgo  string         `json:"hash_algo"`
}

type lfsReference struct {
	OID  string `json:"oid"`
	Size int64  `json:"size"`
}

// lfsObject is an object in the answer to a batch.
type lfsObject struct {
	lfsReference
	Authenticated bool                 `json:"authenticated,omitempty"`
	Actions       map[string]lfsAction `json:"actions,omitempty"`
	Error         *lfsObjectError      `json:"error,omitempty"`
}

type lfsAction struct {
	Href   string            `json:"href"`
	Header map[string]string `json:"header,omitempty"`
}

type lfsObjectError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// batch says where objects can be downloaded from or uploaded to.
func (a lfs) batch(ctx context.Context, c client, in gitBody) (rest.Raw, error) {
	if off := a.off(c); off != nil {
		return off, nil
	}
	var asked lfsBatch
	if err := json.NewDecoder(in.Reader).Decode(&asked); err != nil {
		return a.refuse(http.StatusBadRequest, "The body is not the JSON of a batch."), nil
	}
	upload := asked.Operation == "upload"
	if upload {
		var err error
		if c.InProject, err = withCollaboration(ctx, c.InProject); err != nil {
			return nil, err
		}
	}
	switch {
	case upload && !c.Caller.Known():
		return nil, fault.Unauthorized()
	case upload && (!c.Can(policy.PushBranch) || c.Caller.Need("write_repository") != nil):
		return a.refuse(http.StatusForbidden, "Access forbidden. Check your access level."), nil
	case asked.Operation != "upload" && asked.Operation != "download":
		return a.refuse(http.StatusUnprocessableEntity, "The operation is neither upload nor download."), nil
	case len(asked.Objects) == 0:
		return a.refuse(http.StatusNotFound, "Not found."), nil
	case len(asked.Objects) > maxBatch:
		return a.refuse(http.StatusRequestEntityTooLarge, fmt.Sprintf("A batch has at most %d objects.", maxBatch)), nil
	case asked.HashAlgo != "" && asked.HashAlgo != "sha256":
		return a.refuse(http.StatusConflict, "The hash algorithm has to be sha256."), nil
	}
	oids := make([]string, len(asked.Objects))
	for i, o := range asked.Objects {
		oids[i] = o.OID
	}
	known, err := code.LFSObjects(ctx, c.Store, c.Project.ID, oids)
	if err != nil {
		return nil, err
	}
	if upload {
		var more int64
		for _, o := range asked.Objects {
			if _, found := known[o.OID]; !found {
				more += max(o.Size, 0)
			}
		}
		if text, err := code.RefuseLFS(ctx, c.Store, c.Project.ID, more); err != nil || text != "" {
			return a.refuse(http.StatusNotAcceptable, text), err
		}
	}
	objects := make([]lfsObject, len(asked.Objects))
	for i, o := range asked.Objects {
		objects[i] = a.object(c, o, known, upload)
	}
	return a.answer(http.StatusOK, struct {
		Transfer string      `json:"transfer"`
		Objects  []lfsObject `json:"objects"`
	}{"basic", objects}), nil
}

// object says what to do about one object of a batch.
func (a lfs) object(c client, o lfsReference, known map[string]code.LFSObject, upload bool) lfsObject {
	v := lfsObject{lfsReference: o}
	href := a.Web(c.Project.FullPath+".git") + "/gitlab-lfs/objects/" + o.OID
	have, found := known[o.OID]
	switch {
	case upload && found:
	case upload:
		v.Actions = map[string]lfsAction{"upload": {
			Href:   href + "/" + strconv.FormatInt(o.Size, 10),
			Header: map[string]string{"Content-Type": "application/octet-stream", "Transfer-Encoding": "chunked"},
		}}
	case found:
		v.Size = have.Size
		v.Authenticated = !c.Caller.Known()
		v.Actions = map[string]lfsAction{"download": {Href: href}}
	default:
		v.Error = &lfsObjectError{
			Code:    http.StatusNotFound,
			Message: "Object does not exist on the server or you don't have permissions to access it",
		}
	}
	return v
}

type lfsOID struct {
	OID string `param:"oid"`
}

// download sends the content of an object.
func (a lfs) download(ctx context.Context, c client, in lfsOID) (rest.Raw, error) {
	if off := a.off(c); off != nil {
		return off, nil
	}
	found, err := code.LFSObjects(ctx, c.Store, c.Project.ID, []string{in.OID})
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fault.NotFound("Object")
	}
	return serve.File{Log: a.log, Store: c.Store, BlobID: found[in.OID].BlobID}, nil
}

type lfsUpload struct {
	lfsOID
	Size int64 `param:"size"`
	rest.Body
}

// upload stores the content of an object. The limit of a push holds for it, too.
func (a lfs) upload(ctx context.Context, c client, in lfsUpload) (rest.Raw, error) {
	if off := a.off(c); off != nil {
		return off, nil
	}
	settings, err := setting.Read(ctx, c.Store)
	if err != nil {
		return nil, err
	}
	if most := int64(settings.ReceiveMaxInputSize); most > 0 && in.Size > most<<20 {
		return a.refuse(http.StatusRequestEntityTooLarge, fmt.Sprintf(
			"The object has %d bytes. The limit of this server is %d MiB. Ask an administrator to raise it.",
			in.Size, most)), nil
	}
	if text, err := code.RefuseLFS(ctx, c.Store, c.Project.ID, in.Size); err != nil || text != "" {
		return a.refuse(http.StatusNotAcceptable, text), err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := deadline.NewWriter(r.Context(), w)
		err := code.StoreLFSObject(
			r.Context(), c.Store, c.Project.ID, in.OID, in.Size, deadline.NewReader(r.Context(), w, in.Reader),
		)
		f, refused := fault.From(err)
		switch {
		case err == nil:
			out.WriteHeader(http.StatusOK)
		case refused && f.Code == fault.CodeInvalid:
			http.Error(out, f.What, http.StatusBadRequest)
		default:
			a.log.WarnContext(
				r.Context(), "LFS object not stored", "project", c.Project.FullPath, "oid", in.OID, "error", err,
			)
			http.Error(out, "The object was not stored. Try again.", http.StatusInternalServerError)
		}
	}), nil
}
