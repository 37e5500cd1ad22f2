package ci

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"hew/server/ci/definition"
	"hew/server/ci/document"
	"hew/server/ci/expression"
	"hew/server/setting"
	"hew/server/tree"
)

// usualPath is where the definition of a project's pipelines is.
const usualPath = ".gitlab-ci.yml"

// configPath returns where the definition of a project's pipelines is: a path,
// "path@group/project", "path@group/project:ref" or an address.
func configPath(p tree.Project, s setting.Settings) string {
	usual := usualPath
	if s.DefaultConfigPath != nil && *s.DefaultConfigPath != "" {
		usual = *s.DefaultConfigPath
	}
	return cmp.Or(p.Settings.CIConfigPath, usual)
}

// reading is a definition that was read.
type reading struct {
	document *document.Document
	config   *definition.Config // nil: there are errors
	errors   []*definition.Error
	warnings []*definition.Warning
}

// read loads a definition and checks it.
func (c *creation) read(ctx context.Context, r document.Request) (reading, error) {
	var (
		in    reading
		fault *document.Error
		err   error
	)
	in.document, err = document.Load(ctx, r)
	if errors.As(err, &fault) {
		in.errors = []*definition.Error{fault}
		return in, nil
	}
	if err != nil {
		return in, err
	}
	in.config, in.errors, in.warnings = definition.Check(in.document.Root)
	return in, nil
}

// request returns what to load for the pipeline.
func (c *creation) request(ctx context.Context) (document.Request, error) {
	r, err := c.emptyRequest(ctx)
	if err != nil {
		return r, err
	}
	path := configPath(c.Project, c.settings)
	if c.bridge != nil && c.bridge.include != nil {
		c.pipeline.ConfigSource = new("parent_pipeline_source")
		r.Include, r.Child = c.bridge.include, true
		return r, nil
	}
	if include, source := includeOf(path); include != nil {
		c.pipeline.ConfigSource = &source
		r.Include = include
		return r, nil
	}
	file, err := c.files.file(ctx, c.git, r.Origin, path)
	var fault *document.Error
	switch {
	case errors.As(err, &fault):
		return r, invalid(fault.Text)
	case err == document.ErrNoFile:
		return r, refuse("Missing CI config file")
	case err != nil:
		return r, err
	}
	r.File, r.Content = path, file.Content
	return r, nil
}

// emptyRequest returns what every load needs, without a content.
func (c *creation) emptyRequest(ctx context.Context) (r document.Request, err error) {
	c.files = newFiles(c.st, c.site, c.settings, c.By, c.Project, c.git)
	if c.bridge != nil {
		c.files.parent = &c.bridge.upstream
	}
	if c.stored, err = ReadStoredVariables(ctx, c.st, c.Project, c.pipeline.Protected); err != nil {
		return r, err
	}
	if c.predefined, err = c.subject().variables(ctx, c.st, c.site); err != nil {
		return r, err
	}
	variables, err := c.variablesOfIncludes()
	if err != nil {
		return r, err
	}
	return document.Request{
		Origin: document.Origin{ProjectID: c.Project.ID, Project: c.Project.FullPath, SHA: c.Commit.String()},
		Inputs: c.Inputs, Files: c.files, Variables: variables, Rules: c.includeHolds,
		Limits: document.Limits{
			FileBytes: int(c.settings.MaxYAMLBytes), ParsedBytes: int(c.settings.MaxYAMLBytes),
			Depth: c.settings.MaxYAMLDepth, Files: c.settings.MaxIncludes, TotalBytes: int(c.settings.MaxConfigBytes),
		},
	}, nil
}

// subject returns the pipeline as predefined variables know it.
func (c *creation) subject() subject {
	return subject{
		Pipeline: c.pipeline, Project: c.Project, User: c.By, Request: c.Request, Git: c.git, Commit: c.commit,
		Path: configPath(c.Project, c.settings),
	}
}

// variablesOfIncludes returns the variables that paths of includes know.
func (c *creation) variablesOfIncludes() (map[string]document.Variable, error) {
	stored := c.stored.For("")
	list := append(append(append([]expression.Variable{}, c.predefined...), stored.Plain()...), c.Variables...)
	list, err := expression.Resolve(list, expression.ForServer)
	if err != nil {
		return nil, invalid(err.Error())
	}
	known := make(map[string]document.Variable, len(list))
	for n, v := range list {
		of := n - len(c.predefined)
		known[v.Key] = document.Variable{Value: v.Value, Masked: of >= 0 && of < len(stored) && stored[of].Masked}
	}
	return known, nil
}

// includeOf returns the include that stands for a definition outside of the project, nil if the
// path is one of the project.
func includeOf(path string) (include *document.Node, source string) {
	if strings.HasPrefix(path, "http://") || strings.HasPrefix(path, "https://") {
		return mapNode("remote", path), "remote_source"
	}
	file, project, ok := strings.Cut(path, "@")
	if !ok {
		return nil, ""
	}
	project, ref, ok := strings.Cut(project, ":")
	if !ok {
		return mapNode("project", project, "file", file), "external_project_source"
	}
	return mapNode("project", project, "file", file, "ref", ref), "external_project_source"
}

// mapNode returns a map of texts, given by keys and values.
func mapNode(pairs ...string) *document.Node {
	n := &document.Node{Kind: document.Map}
	for i := 0; i < len(pairs); i += 2 {
		n.Entries = append(n.Entries, document.Entry{
			Key: pairs[i], Plain: true, Value: &document.Node{Kind: document.String, Text: pairs[i+1]},
		})
	}
	return n
}
