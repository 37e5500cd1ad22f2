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

// Summary is what was written, and what was not. It counts where there may be
// many, so that it stays small.
type Summary struct {
	Subject   string
	Files     []string
	Blocks    map[string]int // by kind
	Variables int            // that stand for secrets
	Needed    []string       // of these, those without which there is no plan
	Untold    int            // of these, those of which hosts do not tell whether there is a secret at all
	// Left is what cannot be declared. Unread is what could not be read, and
	// Unsupported what the host does not have.
	Left, Unread, Unsupported []Omission
}

// Omission is things of one kind that are not written, for one sort of reason.
type Omission struct {
	Kind, Why string
	Which     string // the first of them
	Times     int
	sort      string // what makes several of them one
}

func (o Omission) String() string {
	more := ""
	if o.Times > 1 {
		more = fmt.Sprintf(" and %d more", o.Times-1)
	}
	return fmt.Sprintf("%s of %s%s: %s", o.Kind, o.Which, more, o.Why)
}

// variables is the file of what stands for secrets.
const variables = "variables"

// output are the files that are written: that of a group, and beside it the one
// of the variables.
type output struct {
	create   func(name string) (io.WriteCloser, error)
	name     string
	file     io.WriteCloser
	secrets  io.WriteCloser
	failed   error
	said     Summary
	comments map[*container][]string // on what is left out
}

// write goes on with a file, or begins it.
func (o *output) write(name string, text []byte) error {
	if o.name != name {
		if err := o.end(&o.file); err != nil {
			return err
		}
		file, err := o.begin(name)
		if err != nil {
			return err
		}
		o.file, o.name = file, name
		text = text[1:] // the first block has no line above it
	}
	_, err := o.file.Write(text)
	return cmp.Or(err, o.failed)
}

func (o *output) begin(name string) (io.WriteCloser, error) {
	o.said.Files = append(o.said.Files, name)
	return o.create(name)
}

func (o *output) end(file *io.WriteCloser) error {
	if *file == nil {
		return nil
	}
	err := (*file).Close()
	*file = nil
	return err
}

// close ends all files.
func (o *output) close() error {
	return errors.Join(o.failed, o.end(&o.file), o.end(&o.secrets))
}

// variable declares a variable for a line, or for a key of it, and returns its name.
func (o *output) variable(name string, it *item, l line, key string) string {
	o.said.Variables++
	switch {
	case l.secret == required:
		o.said.Needed = append(o.said.Needed, name)
	case l.untold:
		o.said.Untold++
	}
	text, _ := config.Format([]byte(declaration(name, it, l, key)), variables) // which is well formed
	if o.secrets == nil && o.failed == nil {
		o.secrets, o.failed = o.begin(variables + ".hcl")
		text = text[1:]
	}
	if o.failed == nil {
		_, o.failed = o.secrets.Write(text)
	}
	return name
}

// left tells of what cannot be declared, in the summary and beside the blocks of
// where it is.
func (o *output) left(at *container, k *schema.Kind, which, why string) {
	o.omit(&o.said.Left, Omission{Kind: k.Name, Which: which, Why: why, sort: why})
	o.comment(at, "%s %s is left out: %s.", k.Name, which, why)
}

// skip counts what nobody could declare, such as bots, which come and go.
func (o *output) skip(at *container, of schema.Object) {
	o.omit(&o.said.Left, Omission{Kind: of.Kind.Name, Which: at.String(), Why: "nobody declares that (" + of.Note + ")", sort: of.Note})
}

// unread tells of what could not be read.
func (o *output) unread(at *container, k *schema.Kind, where string, r schema.Reading) {
	o.unreadIn(at, k, where, "", r)
}

// unreadIn tells of a part, such as who is invited, that could not be read of what else was.
func (o *output) unreadIn(at *container, k *schema.Kind, where, part string, r schema.Reading) {
	if part != "" {
		where += " (" + part + ")"
	}
	left := Omission{Kind: k.Name, Which: where, Why: r.State.String(), sort: r.State.String() + part}
	if r.Err != nil {
		left.Why = oneLine(r.Err.Error())
	}
	if r.State == schema.Unsupported && k.Gated {
		o.omit(&o.said.Unsupported, left)
		return
	}
	o.omit(&o.said.Unread, left)
	o.comment(at, "%s of %s could not be read: %s.", k.Name, where, left.Why)
}

// omit counts omissions of one kind and sort.
func (o *output) omit(list *[]Omission, left Omission) {
	i := slices.IndexFunc(*list, func(of Omission) bool { return of.Kind == left.Kind && of.sort == left.sort })
	if i < 0 {
		*list, i = append(*list, left), len(*list)
	}
	(*list)[i].Times++
}

func (o *output) comment(at *container, text string, args ...any) {
	o.comments[at] = append(o.comments[at], oneLine(fmt.Sprintf(text, args...)))
}

// remarks are the comments on what is left out of a container. Those on nothing in
// particular go with the first one.
func (o *output) remarks(at *container) []string {
	remarks := slices.Concat(o.comments[nil], o.comments[at])
	delete(o.comments, nil)
	delete(o.comments, at)
	return remarks
}
