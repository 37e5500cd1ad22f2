package api

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"hew/server/code"
	"hew/server/db"
	"hew/server/snippet"
	"hew/server/view"
)

// snippetView is a snippet as answers show it (transfer §3.3).
type snippetView struct {
	ID           int64           `json:"id"`
	Title        string          `json:"title"`
	Description  *string         `json:"description"`
	Visibility   db.Visibility   `json:"visibility"`
	Author       *view.BasicUser `json:"author"`
	CreatedAt    time.Time       `json:"created_at"`
	UpdatedAt    time.Time       `json:"updated_at"`
	ProjectID    *int64          `json:"project_id"`
	WebURL       string          `json:"web_url"`
	RawURL       string          `json:"raw_url"`
	SSHURL       string          `json:"ssh_url_to_repo"`
	HTTPURL      string          `json:"http_url_to_repo"`
	FileName     *string         `json:"file_name"` // the first file
	Files        []fileView      `json:"files"`
	Imported     bool            `json:"imported"`
	ImportedFrom string          `json:"imported_from"`
}

type fileView struct {
	Path   string `json:"path"`
	RawURL string `json:"raw_url"`
}

func viewOf(site *view.Site, s snippet.Snippet) snippetView {
	repository, page := fmt.Sprint("snippets/", s.ID), fmt.Sprint("-/snippets/", s.ID)
	if s.Path != nil {
		repository, page = *s.Path+"/"+repository, *s.Path+"/"+page
	}
	v := snippetView{
		ID: s.ID, Title: s.Title, Description: s.Description, Visibility: s.Visibility, Author: site.Author(s.Author),
		CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt, ProjectID: s.ProjectID, WebURL: site.Web(page),
		SSHURL: site.SSH(repository), HTTPURL: site.Web(repository) + ".git", Files: []fileView{},
		Imported: s.ImportedFrom != snippet.NotImported, ImportedFrom: s.ImportedFrom,
	}
	v.RawURL = v.WebURL + "/raw"
	for i, path := range s.Files {
		if i == 0 {
			v.FileName = &path
		}
		v.Files = append(v.Files, fileView{path, v.RawURL + "/" + code.SnippetHead + "/" + escapePath(path)})
	}
	return v
}

// escapePath escapes the names in a path, and not the slashes between them.
func escapePath(path string) string {
	names := strings.Split(path, "/")
	for i, name := range names {
		names[i] = url.PathEscape(name)
	}
	return strings.Join(names, "/")
}
