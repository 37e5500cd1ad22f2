package api

import (
	"context"
	"encoding/hex"
	"log/slog"
	"net/http"
	"path"
	"time"

	"hew/server/blob/send"
	"hew/server/db"
	"hew/server/packages"
	"hew/server/rest"
	"hew/server/scope"
)

// generic serves generic packages: any file under a name and a version (gaps §16.1).
type generic struct{ log *slog.Logger }

// The limits of a transfer as a whole. What a file may have, the plan limits say.
const (
	transferTime = 3 * time.Hour
	maxUpload    = 1 << 40 // bytes
)

func (a generic) routes() []rest.Route {
	const file = "/projects/{id}/packages/generic/{package_name}/{package_version}/{file_name...}"
	return []rest.Route{
		rest.Put(file, asked(toWrite(createPackage)), a.upload).
			WithoutTransaction().Status(http.StatusCreated).Limit(maxUpload).Timeout(transferTime),
		rest.Get(file, asked(toRead(readPackage)), a.download).Timeout(transferTime),
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
func (generic) upload(ctx context.Context, s scope.InProject, in genericUpload) (rest.Raw, error) {
	by, err := publisher(ctx, s)
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
	return rest.JSON(http.StatusCreated, publishedView(f)), nil
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
	File       struct {
		URL string `json:"url"`
	} `json:"file"`
}

func publishedView(f packages.File) publishedFile {
	return publishedFile{
		ID: f.ID, PackageID: f.PackageID, CreatedAt: f.CreatedAt, UpdatedAt: f.UpdatedAt, Size: f.Size,
		FileMD5: hex.EncodeToString(f.MD5), FileSHA1: hex.EncodeToString(f.SHA1),
		FileSHA256: hex.EncodeToString(f.SHA256), FileName: f.Name,
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
	return sent(ctx, a.log, s.Store, f)
}

// sent returns the answer with a file, and notes that it was downloaded.
func sent(ctx context.Context, log *slog.Logger, st *db.Store, f packages.File) (rest.Raw, error) {
	file := send.File{Log: log, Store: st, BlobID: f.BlobID, Name: path.Base(f.Name), Modified: f.CreatedAt}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			if err := packages.Downloaded(r.Context(), st, f.PackageID); err != nil {
				log.WarnContext(r.Context(), "download not noted", "package", f.PackageID, "error", err)
			}
		}
		file.ServeHTTP(w, r)
	}), nil
}
