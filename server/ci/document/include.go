package document

import (
	"context"
	"net/url"
	"strings"
	"time"
)

// entry is one file to include, as an including file has it.
type entry struct {
	at Location
	// location is what texts call the file: a path, an address, a name. It is not masked.
	location string
	// textual is whether the location was written as text.
	textual bool
	// node is the value of the entry and keys are its keys with variables expanded.
	node, keys *Node
}

// forms are the subkeys of include, in the order of the texts.
var forms = []struct {
	key  string
	form Form
}{
	{"local", Local}, {"project", Project}, {"remote", Remote},
	{"template", Template}, {"artifact", Artifact}, {"component", Component},
}

const formKeys = "`local`, `project`, `remote`, `template`, `artifact`, `component`"

// entries returns the files that a value of include stands for, in order. Those whose rules do not
// hold are left out.
func (l *loader) entries(ctx context.Context, include *Node, from Origin) ([]entry, error) {
	items := []*Node{include}
	switch {
	case include == nil || include.Kind == Null:
		return nil, nil
	case include.Kind == List:
		items = include.Items
	}
	var entries []entry
	for _, item := range items {
		keys, err := l.includeKeys(item)
		if err != nil {
			return nil, err
		}
		holds, err := l.rulesHold(ctx, keys, from)
		if err != nil {
			return nil, err
		}
		if !holds {
			continue
		}
		found, err := l.expandEntry(ctx, item, keys, from)
		if err != nil {
			return nil, err
		}
		entries = append(entries, found...)
		if len(entries)+len(l.includes) > l.limits.Files {
			return nil, errorAt(item, textTooManyFiles, l.limits.Files)
		}
	}
	return entries, nil
}

// includeKeys returns the keys of an entry with variables expanded in their texts. A text is the
// address of a remote file or the path of a local one.
func (l *loader) includeKeys(item *Node) (*Node, error) {
	if item.Kind == String {
		text, ok := l.request.expand(item.Text)
		if !ok {
			return nil, errorAt(item, "config node too large")
		}
		key := "local"
		if isAddress(text) {
			key = "remote"
		}
		value := &Node{Kind: String, Text: text, File: item.File, Line: item.Line}
		entry := Entry{Key: key, Value: value, Plain: true, Line: item.Line}
		return &Node{Kind: Map, Entries: []Entry{entry}, File: item.File, Line: item.Line}, nil
	}
	if item.Kind != Map {
		return nil, errorAt(item, "include config should be a hash or a string")
	}
	keys := *item
	keys.Entries = make([]Entry, len(item.Entries))
	for i, e := range item.Entries {
		var err error
		if e.Value, err = l.expandTexts(e.Value); err != nil {
			return nil, err
		}
		keys.Entries[i] = e
	}
	return &keys, nil
}

// expandTexts returns a text, or a list of texts, with variables expanded.
func (l *loader) expandTexts(n *Node) (*Node, error) {
	made := *n
	switch n.Kind {
	case String:
		var ok bool
		if made.Text, ok = l.request.expand(n.Text); !ok {
			return nil, errorAt(n, "config node too large")
		}
	case List:
		made.Items = make([]*Node, len(n.Items))
		for i, item := range n.Items {
			made.Items[i] = item
			if item.Kind == String {
				var err error
				if made.Items[i], err = l.expandTexts(item); err != nil {
					return nil, err
				}
			}
		}
	}
	return &made, nil
}

// rulesHold reports whether an entry without rules, or whose rules hold, is included.
func (l *loader) rulesHold(ctx context.Context, keys *Node, from Origin) (bool, error) {
	rules := keys.Get("rules")
	if rules == nil || rules.Kind == Null || l.request.Rules == nil {
		return true, nil
	}
	holds, err := l.request.Rules(ctx, rules, from)
	return holds, l.placed(err, rules)
}

// expandEntry returns the files of one entry: several for a list of files and for a wildcard.
func (l *loader) expandEntry(ctx context.Context, item, keys *Node, from Origin) ([]entry, error) {
	var form Form
	for _, f := range forms {
		if !present(keys.Get(f.key)) || f.form == Project && !present(keys.Get("file")) {
			continue
		}
		if form != "" {
			return nil, errorAt(item, "Each include must use only one of: %s", formKeys)
		}
		form = f.form
	}
	e := entry{at: Location{Form: form, From: from}, node: item, keys: keys}
	switch form {
	case Local:
		return l.localEntries(ctx, e)
	case Project:
		return projectEntries(e), nil
	case Remote:
		e.locate(keys.Get("remote"))
		e.at.Cache = cacheTime(keys.Get("cache"))
	case Template:
		e.locate(keys.Get("template"))
	case Component:
		e.locate(keys.Get("component"))
		e.at.parseComponent(e.location)
	case Artifact:
		e.locate(keys.Get("artifact"))
		e.at.Job = keys.Get("job").ScalarText()
	default:
		if keys.Get("project") != nil && !present(keys.Get("file")) {
			return nil, errorAt(item, "include config must specify the file where to fetch the config from")
		}
		text, _ := keys.MarshalJSON()
		return nil, errorAt(item, "%s", l.mask.Replace("`"+string(text)+
			"` does not have a valid subkey for include. Valid subkeys are: "+formKeys))
	}
	return []entry{e}, nil
}

// locate sets the location from a value, without leading slashes where it is a path.
func (e *entry) locate(n *Node) {
	e.textual = n.Kind == String
	e.location = n.ScalarText()
	if e.at.Form == Local || e.at.Form == Project {
		e.location = strings.TrimLeft(e.location, "/")
	}
	e.at.Path = e.location
}

// present reports whether a value is there and not blank.
func present(n *Node) bool {
	switch {
	case n == nil:
		return false
	case n.Kind == List:
		return len(n.Items) > 0
	case n.Kind == Bool:
		return n.Bool
	}
	return strings.TrimSpace(n.ScalarText()) != ""
}

// isAddress reports whether a text is an http or https address with a host.
func isAddress(text string) bool {
	address, err := url.Parse(text)
	return err == nil && (address.Scheme == "http" || address.Scheme == "https") && address.Host != ""
}

// cacheTime returns how long a remote file is kept: an hour for true. The node may be nil.
func cacheTime(n *Node) time.Duration {
	if n == nil || n.Kind == Null || n.Kind == Bool && !n.Bool {
		return 0
	}
	if n.Kind == String {
		if d, ok := parseDuration(n.Text); ok {
			return d
		}
	}
	return time.Hour
}
