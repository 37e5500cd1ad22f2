package api

import (
	"context"
	"fmt"
	"io"

	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/upload"
	"hew/server/wiki"
)

// attachments are the files that pages of wikis link to (more-2 §8.3).
type attachments struct{}

func (a attachments) routes() (routes []rest.Route) {
	for _, h := range holders {
		routes = append(routes,
			rest.Post(h.base+"/attachments", h.guard(policy.CreateWiki), a.create).Limit(maxUpload))
	}
	return routes
}

const maxUpload = 256 << 20 // bytes of a request; the setting max_attachment_size is the limit that matters

type attachmentNew struct {
	File   *rest.File `param:"file,required"`
	Branch string     `param:"branch"`
}

type attachmentView struct {
	Name   string         `json:"file_name"`
	Path   string         `json:"file_path"`
	Branch string         `json:"branch"`
	Link   attachmentLink `json:"link"`
}

type attachmentLink struct {
	URL      string `json:"url"`
	Markdown string `json:"markdown"`
}

func (a attachments) create(ctx context.Context, s inWiki, in attachmentNew) (attachmentView, error) {
	most, err := wiki.Largest(ctx, s.Store)
	if err != nil {
		return attachmentView{}, err
	}
	if in.File.Size > most {
		return attachmentView{}, fault.BodyTooLarge(most, upload.RaiseLimit)
	}
	content, err := io.ReadAll(in.File.Open())
	if err != nil {
		return attachmentView{}, fmt.Errorf("read the attachment: %w", err)
	}
	made, err := s.Attach(ctx, s.Store, in.File.Name, in.Branch, content)
	return attachmentView{
		Name: made.Name, Path: made.Path, Branch: made.Branch,
		Link: attachmentLink{URL: made.Path, Markdown: made.Markdown()},
	}, err
}
