package api

import (
	"fmt"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/rest"
	"hew/server/snippet"
)

// snippetFields are the parameters that both create and change snippets.
type snippetFields struct {
	Description rest.Opt[*string] `param:"description"`
	Visibility  rest.Opt[string]  `param:"visibility" oneof:"private internal public"`
	FileName    rest.Opt[string]  `param:"file_name,notempty"`
	Content     rest.Opt[string]  `param:"content,notempty"`
}

type snippetNew struct {
	snippetFields
	Title string              `param:"title,required,notempty"`
	Files rest.Opt[[]newFile] `param:"files,array"`
	_     struct{}            `exactly:"files content"`
	_     struct{}            `exclusive:"files file_name"`
}

type newFile struct {
	Path    string `param:"file_path,required,notempty"`
	Content string `param:"content,required,notempty"`
}

// actions returns the files as they are to be created.
func (in snippetNew) actions() (list []code.Action, err error) {
	create := func(path, content string) {
		list = append(list, code.Action{Do: "create", Path: path, Content: &content})
	}
	if content, ok := in.Content.Value(); ok {
		create(in.FileName.Or(snippet.DefaultName), content)
		return list, nil
	}
	for _, f := range in.Files.Or(nil) {
		create(f.Path, f.Content)
	}
	if len(list) == 0 {
		err = fault.Param("files is empty")
	}
	return list, err
}

type snippetChange struct {
	snippetFields
	Title rest.Opt[string]       `param:"title,notempty"`
	Files rest.Opt[[]fileChange] `param:"files,array"`
	_     struct{}               `atleast:"title description visibility files content file_name"`
	_     struct{}               `exclusive:"files content"`
	_     struct{}               `exclusive:"files file_name"`
}

type fileChange struct {
	Action       string           `param:"action,required" oneof:"create update delete move"`
	Path         string           `param:"file_path"`
	PreviousPath string           `param:"previous_path"`
	Content      rest.Opt[string] `param:"content"`
}

// fields sets the fields of a snippet that were given.
func (in snippetChange) fields(s *snippet.Snippet) {
	in.Title.Into(&s.Title)
	in.Description.Into(&s.Description)
	if v, ok := in.Visibility.Value(); ok {
		s.Visibility = db.ParseVisibility(v)
	}
}

// errSeveral is the fault of a change that means the only file of a snippet with several.
var errSeveral = fault.BadRequest("To update Snippets with multiple files, you must use the `files` parameter").
	In(fault.Text)

// actions returns what changes in the files of a snippet that has those.
func (in snippetChange) actions(paths []string) ([]code.Action, error) {
	if in.Files.Given() {
		return in.fileActions()
	}
	if len(paths) > 1 {
		return nil, errSeveral
	}
	text := rest.TextIfGiven(in.Content)
	if len(paths) == 0 {
		return []code.Action{{Do: "create", Path: in.FileName.Or(snippet.DefaultName), Content: text}}, nil
	}
	path := in.FileName.Or(paths[0])
	if path == paths[0] {
		if text == nil {
			return nil, nil
		}
		return []code.Action{{Do: "update", Path: path, Content: text}}, nil
	}
	return []code.Action{{Do: "move", Path: path, PreviousPath: paths[0], Content: text}}, nil
}

func (in snippetChange) fileActions() (list []code.Action, err error) {
	for i, f := range in.Files.Or(nil) {
		a := code.Action{Do: f.Action, Path: f.Path, PreviousPath: f.PreviousPath, Content: rest.TextIfGiven(f.Content)}
		missing := ""
		switch {
		case f.Action == "move" && f.PreviousPath == "":
			missing = "previous_path"
		case (f.Action == "create" || f.Action == "update") && (a.Content == nil || *a.Content == ""):
			missing = "content"
		case f.Action == "move" && f.Path == "":
			missing = "file_path"
		case f.Action == "update" && f.PreviousPath != "" && f.PreviousPath != f.Path: // a new name, too
			a.Do = "move"
		}
		if a.Path == "" && missing == "" {
			a.Path = f.PreviousPath // of an update or a deletion, clients give either
		}
		if a.Path == "" && missing == "" {
			missing = "file_path"
		}
		if missing != "" {
			return nil, fault.Param(fmt.Sprintf("files[%d][%s] is missing", i, missing))
		}
		list = append(list, a)
	}
	if len(list) == 0 {
		err = fault.Param("files is empty")
	}
	return list, err
}
