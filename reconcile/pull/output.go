package pull

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"hew/reconcile/config"
	"hew/schema"
)

// variablesFile is the name of the file with the variables for secrets.
const variablesFile = "variables"

// output writes the files: one group's file at a time, and next to it the file of the variables.
type output struct {
	create    func(name string) (io.WriteCloser, error)
	name      string
	file      io.WriteCloser
	variables io.WriteCloser
	err       error
	summary   Summary
	comments  map[*container][]string // about omitted objects in it; nil: not in a container
}

// write appends to the named file, or begins it and closes the one before.
func (o *output) write(name string, text []byte) error {
	if o.name != name {
		if err := o.closeFile(&o.file); err != nil {
			return err
		}
		file, err := o.openFile(name)
		if err != nil {
			return err
		}
		o.file, o.name = file, name
		text = text[1:] // no empty line above the first block
	}
	_, err := o.file.Write(text)
	return cmp.Or(err, o.err)
}

func (o *output) openFile(name string) (io.WriteCloser, error) {
	o.summary.Files = append(o.summary.Files, name)
	return o.create(name)
}

func (o *output) closeFile(file *io.WriteCloser) error {
	if *file == nil {
		return nil
	}
	err := (*file).Close()
	*file = nil
	return err
}

// close closes all files.
func (o *output) close() error {
	return errors.Join(o.err, o.closeFile(&o.file), o.closeFile(&o.variables))
}

// addVariable declares a variable for a line, or for one key of a map, and returns its name.
func (o *output) addVariable(name string, it *item, l line, key string) string {
	o.summary.Variables++
	switch {
	case l.secret == requiredSecret:
		o.summary.RequiredVariables = append(o.summary.RequiredVariables, name)
	case l.presenceUnknown:
		o.summary.UnknownSecrets++
	}
	text, _ := config.Format([]byte(variableBlock(name, it, l, key)), variablesFile) // the text is well formed
	if o.variables == nil && o.err == nil {
		o.variables, o.err = o.openFile(variablesFile + ".hcl")
		text = text[1:]
	}
	if o.err == nil {
		_, o.err = o.variables.Write(text)
	}
	return name
}

// omitObject records an object that cannot be declared, in the summary and in a comment in the file
// of its container. which is its name.
func (o *output) omitObject(at *container, k *schema.Kind, which, why string) {
	o.count(&o.summary.Omitted, Omission{Kind: k.Name, Name: which, Why: why, reason: why})
	o.comment(at, "%s %s is not declared: %s.", k.Name, which, why)
}

// omitUnmanaged counts an object that is not managed by configuration, such as a bot.
func (o *output) omitUnmanaged(at *container, of schema.Object) {
	o.count(&o.summary.Omitted,
		Omission{Kind: of.Kind.Name, Name: "in " + at.String(), Why: "hew does not manage it (" +
			of.Note + ")", reason: of.Note})
}

// omitUnread records what could not be read. where is a name, or "in" and a container.
func (o *output) omitUnread(at *container, k *schema.Kind, where string, r schema.Reading) {
	o.omitUnreadPart(at, k, where, "", r)
}

// omitUnreadPart is omitUnread for a part, such as the invitations, of what else was read.
func (o *output) omitUnreadPart(at *container, k *schema.Kind, where, part string, r schema.Reading) {
	if part != "" {
		where += " (" + part + ")"
	}
	left := Omission{Kind: k.Name, Name: where, Why: r.State.String(), reason: r.State.String() + part}
	if r.Err != nil {
		left.Why = singleLine(r.Err.Error())
	}
	if r.State == schema.Unsupported && k.Gated {
		o.count(&o.summary.Unsupported, left)
		return
	}
	o.count(&o.summary.Unread, left)
	o.comment(at, "%s %s could not be read: %s.", k.Name, where, left.Why)
}

// count adds an omission to the list, or to the one there of the same kind and reason.
func (o *output) count(list *[]Omission, left Omission) {
	i := slices.IndexFunc(*list, func(of Omission) bool { return of.Kind == left.Kind && of.reason == left.reason })
	if i < 0 {
		*list, i = append(*list, left), len(*list)
	}
	(*list)[i].Times++
}

func (o *output) comment(at *container, text string, args ...any) {
	o.comments[at] = append(o.comments[at], singleLine(fmt.Sprintf(text, args...)))
}

// takeComments returns and removes the comments of a container, after those of no container.
func (o *output) takeComments(at *container) []string {
	remarks := slices.Concat(o.comments[nil], o.comments[at])
	delete(o.comments, nil)
	delete(o.comments, at)
	return remarks
}
