package document

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// expand returns the map of a file with its includes merged into it, the map itself last.
func (l *loader) expand(ctx context.Context, body *Node, from Origin) (*Node, error) {
	include := body.Get("include")
	if include == nil {
		return body, nil
	}
	entries, err := l.entries(ctx, include, from)
	if err != nil {
		return nil, err
	}
	files := make([]File, len(entries))
	for i, e := range entries {
		if files[i], err = l.readCounted(ctx, e); err != nil {
			return nil, err
		}
	}
	made := &Node{Kind: Map, File: body.File, Line: body.Line}
	places := map[string]int{}
	for i, e := range entries {
		value, err := l.included(ctx, e, files[i])
		if err != nil {
			return nil, err
		}
		if err := l.merger.into(made, places, value); err != nil {
			return nil, err
		}
	}
	return made, l.merger.into(made, places, body.withoutKey("include"))
}

// readCounted reads the file of an entry within the limits of number and time, and notes it.
func (l *loader) readCounted(ctx context.Context, e entry) (File, error) {
	if len(l.includes) >= l.limits.Files {
		return File{}, errorAt(e.node, textTooManyFiles, l.limits.Files)
	}
	if ctx.Err() != nil {
		return File{}, l.placed(l.timedOut(ctx, ctx.Err()), e.node)
	}
	file, err := l.read(ctx, e)
	if err != nil {
		return File{}, err
	}
	if e.at.Form == Local {
		l.known[localFile{e.at.From.ProjectID, e.at.From.Project, e.at.Path}] = true
	}
	l.includes = append(l.includes, Include{
		Form:     e.at.Form,
		Location: l.mask.Replace(e.location),
		Blob:     l.mask.Replace(file.Blob),
		Raw:      l.mask.Replace(file.Raw),
		Extra:    l.extra(e),
		Context:  e.at.From,
	})
	return file, nil
}

// included returns the map of an included file, expanded. Texts about what is in the file begin
// with its location.
func (l *loader) included(ctx context.Context, e entry, file File) (*Node, error) {
	name := l.mask.Replace(e.location)
	body, err := l.parse(ctx, name, file, e.keys.Get("inputs"), e.at.Form)
	if err != nil {
		var fault *Error
		if !errors.As(err, &fault) || l.isTotal(fault.Text) {
			return nil, err
		}
		shown := *fault
		shown.Text = cut("`" + name + "`: " + fault.Text)
		return nil, &shown
	}
	if len(body.Entries) == 0 {
		return nil, l.fault(e, "Included file `"+e.location+"` does not have valid YAML syntax!")
	}
	return l.expand(ctx, body, file.Origin)
}

// isTotal reports whether a text is about all files together.
func (l *loader) isTotal(text string) bool {
	return text == textTotalTooBig || text == textTimedOut || text == fmt.Sprintf(textTooManyFiles, l.limits.Files)
}

// extra returns what the lint API shows of an entry beside its location.
func (l *loader) extra(e entry) *Node {
	made := &Node{Kind: Map}
	add := func(key, text string) {
		value := &Node{Kind: String, Text: l.mask.Replace(text)}
		made.Entries = append(made.Entries, Entry{Key: key, Value: value, Plain: true})
	}
	switch e.at.Form {
	case Local:
		for _, key := range e.keys.Entries {
			switch {
			case key.Key == "local":
			case key.Value.Kind == String:
				add(key.Key, key.Value.Text)
			default:
				made.Entries = append(made.Entries, key)
			}
		}
	case Project:
		add("project", e.at.Project)
		add("ref", e.at.Ref)
	case Artifact:
		add("job_name", e.at.Job)
	}
	return made
}

// includeInputs adds the inputs of the files of `spec: include:` to a header, whose own ones win.
func (l *loader) includeInputs(ctx context.Context, h *header, from Origin) error {
	entries, err := l.entries(ctx, h.include, from)
	if err != nil {
		return err
	}
	made := map[string]int{}
	var inputs []inputSpec
	add := func(specs []inputSpec) {
		for _, spec := range specs {
			if at, ok := made[spec.name]; ok {
				inputs[at] = spec
				continue
			}
			made[spec.name] = len(inputs)
			inputs = append(inputs, spec)
		}
	}
	for _, e := range entries {
		specs, err := l.inputsFile(ctx, e)
		if err != nil {
			return err
		}
		add(specs)
	}
	add(h.inputs)
	h.inputs = inputs
	return nil
}

// inputsFile returns the inputs of a file that a header includes, which has nothing else.
func (l *loader) inputsFile(ctx context.Context, e entry) ([]inputSpec, error) {
	file, err := l.readCounted(ctx, e)
	if err != nil {
		return nil, err
	}
	if l.total += len(file.Content); l.total > l.limits.TotalBytes {
		return nil, l.fault(e, textTotalTooBig)
	}
	body, err := Parse(l.mask.Replace(e.location), file.Content, l.limits)
	if err != nil {
		return nil, err
	}
	var unknown []string
	for _, key := range body.Entries {
		if key.Key != "inputs" {
			unknown = append(unknown, ":"+key.Key)
		}
	}
	if unknown != nil {
		return nil, l.fault(e, "Header include file `"+e.location+"` contains unknown keys: ["+
			strings.Join(unknown, ", ")+"]")
	}
	return readInputs(body.Get("inputs"))
}
