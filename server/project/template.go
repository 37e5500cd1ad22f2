package project

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"hew/server/fault"
)

//go:embed all:templates
var templates embed.FS

// TemplateFile is a file that a new project begins with.
type TemplateFile struct{ Path, Text string }

// TemplateFiles returns the files of a template in the order of their paths. A template that does
// not exist is a fault about template_name.
func TemplateFiles(name string) (files []TemplateFile, err error) {
	root, err := fs.Sub(templates, "templates/"+name)
	if err == nil && !strings.ContainsRune(name, '/') {
		err = fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := fs.ReadFile(root, path)
			files = append(files, TemplateFile{path, string(text)})
			return err
		})
	}
	if err != nil || len(files) == 0 {
		return nil, fault.Invalid("template_name",
			fmt.Sprintf("'%s' is unknown or invalid; known are %s", name, templateNames()))
	}
	return files, nil
}

// templateNames returns the names of all templates for a message.
func templateNames() string {
	dirs, _ := templates.ReadDir("templates") // embedded
	names := make([]string, len(dirs))
	for i, d := range dirs {
		names[i] = d.Name()
	}
	return strings.Join(names, ", ")
}
