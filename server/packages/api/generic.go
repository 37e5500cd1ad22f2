package api

import (
	"context"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"path"
	"time"

	"hew/server/blob/serve"
	"hew/server/db"
	"hew/server/packages"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// generic serves generic packages: any file under a name and a version (gaps §16.1).
type generic struct {
	*view.Site
	log *slog.Logger
}

// The limits of a transfer as a whole. What a file may have, the plan limits say.
const (
	transferTime = 3 * time.Hour
	maxUpload    = 1 << 40 // bytes
)

func (a generic) routes() []rest.Route {
	const file = "/projects/{id}/packages/generic/{package_name}/{package_version}/{file_name...}"
	return []rest.Route{
		rest.Put(file, challengeAnonymous(toWrite(createPackage)), a.upload).
			WithoutTransaction().Status(http.StatusCreated).Limit(maxUpload).Timeout(transferTime),
		rest.Get(file, challengeAnonymous(toRead(readPackage)), a.download).Timeout(transferTime),
	}
}

type genericFile struct {
	PackageName    string `param:"package_name"`
	PackageVersion string `param:"package_version"`
	FileName       string `param:"file_name"`
}

type genericUpload struct {
	genericFile
	Status string `param:"status" oneof:"default hidden"`
	Select string `param:"select" oneof:"package_file"`
	rest.Body
}

// upload stores the body of a request as a file. It is read as it comes.
func (a generic) upload(ctx context.Context, s scope.InProject, in genericUpload) (rest.Raw, error) {
	by, err := publisher(ctx, s, createPackage)
	if err != nil {
		return nil, err
	}
	f, err := packages.PublishGeneric(ctx, s.Store, packages.GenericUpload{
		Project: s.Project.Project, By: by, Name: in.PackageName, Version: in.PackageVersion, File: in.FileName,
		Status: in.Status, Content: in.Content(), Size: in.Size,
	})
	if err != nil {
		return nil, err
	}
	if in.Select == "" {
		return created(), nil
	}
	return rest.JSON(http.StatusCreated, a.publishedView(s, in.genericFile, f)), nil
}

// created is the answer to what was published.
func created() rest.Raw {
	return rest.JSON(http.StatusCreated, map[string]string{"message": "201 Created"})
}

// publishedFile is a file that was published just now.
type publishedFile struct {
	ID         int64     `json:"id"`
	PackageID  int64     `json:"package_id"`
	CreatedAt  time.Time `json:"created_at"`
	UpdatedAt  time.Time `json:"updated_at"`
	Size       int64     `json:"size"` // bytes
	FileMD5    string    `json:"file_md5"`
	FileSHA1   string    `json:"file_sha1"`
	FileSHA256 string    `json:"file_sha256"`
	FileName   string    `json:"file_name"`
	File       fileLink  `json:"file"`
}

type fileLink struct {
	URL string `json:"url"` // where the file can be downloaded
}

func (a generic) publishedView(s scope.InProject, in genericFile, f packages.File) publishedFile {
	return publishedFile{
		ID: f.ID, PackageID: f.PackageID, CreatedAt: f.CreatedAt, UpdatedAt: f.UpdatedAt, Size: f.Size,
		FileMD5: hex.EncodeToString(f.MD5), FileSHA1: hex.EncodeToString(f.SHA1),
		FileSHA256: hex.EncodeToString(f.SHA256), FileName: f.Name,
		File: fileLink{fmt.Sprintf("%s/api/v4/projects/%d/packages/generic/%s/%s/%s", a.Base, s.Project.ID,
			in.PackageName, in.PackageVersion, in.FileName)}, // their characters need no escaping
	}
}

// download sends the latest file with a name.
func (a generic) download(ctx context.Context, s scope.InProject, in genericFile) (rest.Raw, error) {
	id, err := packages.GenericIdentity(in.PackageName, in.PackageVersion)
	if err == nil {
		err = packages.CheckGenericFile(in.FileName)
	}
	if err != nil {
		return nil, err
	}
	p, err := packages.Packages(s.Store, s.Project.ID).One(ctx, packages.Named(id))
	if err != nil {
		return nil, err
	}
	f, err := packages.LatestFile(ctx, s.Store, p, in.FileName)
	if err != nil {
		return nil, err
	}
	return serveFile(ctx, a.log, s.Store, f)
}

// serveFile returns the answer with a file, and notes that it was downloaded.
func serveFile(ctx context.Context, log *slog.Logger, st *db.Store, f packages.File) (rest.Raw, error) {
	file := serve.File{Log: log, Store: st, BlobID: f.BlobID, Name: path.Base(f.Name), Modified: f.CreatedAt}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			if err := packages.Downloaded(r.Context(), st, f.PackageID); err != nil {
				log.WarnContext(r.Context(), "download not noted", "package", f.PackageID, "error", err)
			}
		}
		file.ServeHTTP(w, r)
	}), nil
}
