package document

import (
	"context"
	"errors"
	"strings"
)

// loader is the state of one Load.
type loader struct {
	request  Request
	limits   Limits
	includes []Include
	// known are the local files that were included, which wildcards leave out.
	known map[localFile]bool
	mask  *strings.Replacer
	// total is the size of the files read and size that of their trees.
	total, size int
	merger      merger
	// outer is the context of the caller, without the time limit.
	outer context.Context
}

// localFile is a file that was included by its path.
type localFile struct {
	project int64
	name    string
	path    string
}

// Load reads a definition: it parses the content and puts in its inputs, includes files, each of
// them expanded in the same way, merges them with the including file last, and then resolves
// extends and references. A fault of the definition is an *Error.
func Load(ctx context.Context, r Request) (*Document, error) {
	l := &loader{request: r, limits: r.Limits.withDefaults(), known: map[localFile]bool{},
		mask: newMask(r.Variables), outer: ctx}
	l.merger.room = l.limits.MergedBytes
	if l.request.Files == nil {
		l.request.Files = noFiles{}
	}
	ctx, cancel := context.WithTimeout(ctx, l.limits.Time)
	defer cancel()

	root, err := l.root(ctx)
	if err != nil {
		return nil, err
	}
	if root, err = extend(root, l.limits); err != nil {
		return nil, err
	}
	if root, err = resolveReferences(root); err != nil {
		return nil, err
	}
	if err := l.limits.check(root, l.limits.MergedBytes); err != nil {
		return nil, err
	}
	return &Document{Root: root, Includes: l.includes}, nil
}

// root returns the content with its includes merged.
func (l *loader) root(ctx context.Context) (*Node, error) {
	r := l.request
	body := &Node{Kind: Map, File: r.File, Line: 1}
	if r.Include != nil {
		body.Entries = []Entry{{Key: "include", Value: r.Include, Plain: true, Line: r.Include.Line}}
		return l.expand(ctx, body, r.Origin)
	}
	if strings.TrimSpace(string(r.Content)) == "" {
		return nil, &Error{File: r.File, Text: textBlank}
	}
	body, err := l.parse(ctx, r.File, File{Content: r.Content, Origin: r.Origin}, r.Inputs, Local)
	if err != nil {
		return nil, err
	}
	return l.expand(ctx, body, r.Origin)
}

// parse returns the body of a file with its inputs in it.
func (l *loader) parse(ctx context.Context, name string, file File, inputs *Node, form Form) (*Node, error) {
	if l.total += len(file.Content); l.total > l.limits.TotalBytes {
		return nil, &Error{File: name, Text: textTotalTooBig}
	}
	first, body, err := parseFile(name, file.Content, l.limits)
	if err != nil {
		return nil, err
	}
	if first != nil {
		body, err = l.interpolate(ctx, first, body, file, inputs, form)
	} else if inputs != nil && len(inputs.Entries) > 0 {
		err = errorAt(inputs,
			"Given inputs not defined in the `spec` section of the included configuration file")
	}
	if err != nil {
		return nil, err
	}
	extent := (measure{}).of(body)
	if extent.depth > l.limits.Depth {
		return nil, errorAt(body, textTreeTooBig)
	}
	if l.size += extent.size; l.size > l.limits.MergedBytes {
		return nil, errorAt(body, textTotalTooBig)
	}
	return body, nil
}

// interpolate puts the inputs of a header into a body.
func (l *loader) interpolate(ctx context.Context, first, body *Node, file File, given *Node, form Form) (*Node, error) {
	h, err := readHeader(first)
	if err != nil {
		return nil, err
	}
	if h.include != nil {
		if form == Component {
			return nil, errorAt(h.include, "header:spec config contains unknown keys: include")
		}
		if err := l.includeInputs(ctx, &h, file.Origin); err != nil {
			return nil, err
		}
	}
	values, err := h.values(given)
	if err != nil {
		return nil, err
	}
	component := make(map[string]*Node, len(h.component))
	for _, key := range h.component {
		component[key] = &Node{Kind: String, Text: file.Component[key]}
	}
	i := interpolation{
		contexts:  map[string]map[string]*Node{"inputs": values, "component": component},
		variables: l.request.Variables,
		room:      l.limits.MergedBytes,
		blocks:    map[string]*Node{},
		done:      map[*Node]*Node{},
	}
	return i.apply(body)
}

// timedOut returns the error of the time limit if that has passed, the given one otherwise.
func (l *loader) timedOut(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) && l.outer.Err() == nil {
		return &Error{Text: textTimedOut}
	}
	return err
}
