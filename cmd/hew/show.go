package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"hew/provider"
)

func (a *app) showCommand() *cobra.Command {
	var f form
	cmd := &cobra.Command{
		Use:   "show FILE",
		Short: "Print what plan, apply or drift wrote with -json",
		Long: "hew show reads the document that plan, apply, drift or destroy wrote with -json, and prints it as that command would\n" +
			"have without it, or in another form: every report is made of one plan. It needs neither the configuration nor the host.\n" +
			"A document that was changed since it was written is refused. FILE is - for standard input.",
		Example: "  hew plan -json -o=plan.json\n  hew show plan.json\n  hew show plan.json -format=junit -o=plan.xml",
		Args:    showArgs,
		RunE: func(_ *cobra.Command, args []string) (err error) {
			parts, err := a.documents(args[0])
			if err != nil {
				return err
			}
			v, err := a.view(parts[0].Command, f)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, v.Close()) }()
			for _, p := range parts {
				err = errors.Join(err, p.show(v, inputName(args[0])))
			}
			return err
		},
	}
	f.flags(cmd)
	return cmd
}

func showArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return fmt.Errorf("%s takes one file, as hew plan -json -o=plan.json writes it: hew show plan.json.\n%s", cmd.CommandPath(), seeHelp(cmd))
}

// show has a view tell what a part of a file says.
func (p part) show(v view, file string) error {
	again := reread{kinds: provider.Kinds().Named}
	read, err := again.plan(p.document)
	if err != nil {
		return damaged(file, err)
	}
	o, err := again.outcome(p.Outcome)
	if err != nil {
		return damaged(file, err)
	}
	if p.name != "" {
		v.Directory(p.name, p.code)
	}
	v.Show(p.document, read, o)
	switch {
	case p.Planned:
		return nil
	case p.name != "":
		return fmt.Errorf("there is no plan of %s in %s: hew %s failed before it had one", p.name, file, p.Command)
	}
	return fmt.Errorf("there is no plan in %s: hew %s failed before it had one", file, p.Command)
}

// written is a document as it is read once it is written, as whoever shows it
// expects it.
func (p part) written() (part, error) {
	raw, err := json.Marshal(p.document)
	if err == nil {
		p.document, err = readDocument(p.name, p.Command, raw)
	}
	return p, err
}

// document reads the one document of a file.
func (a *app) document(name string) (*document, error) {
	parts, err := a.documents(name)
	if err != nil {
		return nil, err
	}
	if parts[0].name != "" {
		return nil, fmt.Errorf("%s tells of %s, and one is applied at a time. hew plan -out=FILE %s saves a plan into each, and hew apply -chdir=%s FILE does one",
			inputName(name), count(len(parts), "directory", "directories"), strings.Join(namesOf(parts), " "), pasted(parts[0].name))
	}
	return parts[0].document, nil
}

func namesOf(parts []part) (names []string) {
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

// documents reads what a view for programs wrote.
func (a *app) documents(name string) ([]part, error) {
	var raw []byte
	var err error
	if name == "-" {
		raw, err = io.ReadAll(a.in)
	} else {
		raw, err = os.ReadFile(a.path(name))
	}
	if err != nil {
		return nil, fmt.Errorf("the plan cannot be read: %w", err)
	}
	return readDocuments(inputName(name), raw)
}

const standardInput = "standard input"

// inputName is what a file is called that is read.
func inputName(file string) string {
	if file == "-" {
		return standardInput
	}
	return file
}

// head is what tells documents from all else, and from one another.
type head struct {
	FormatVersion string           `json:"format_version"`
	Command       string           `json:"command"`
	Changes       *json.RawMessage `json:"changes"`
	Directories   []struct {
		Directory string          `json:"directory"`
		ExitCode  int             `json:"exit_code"`
		Report    json.RawMessage `json:"report"`
	} `json:"directories"`
}

// readHead takes nothing for a plan that is not one, nor one that a newer hew
// wrote in another form.
func readHead(name string, raw []byte) (h head, err error) {
	err = json.Unmarshal(raw, &h)
	cut := json.NewDecoder(bytes.NewReader(raw)).Decode(new(json.RawMessage))
	var syntax *json.SyntaxError
	makes := "hew plan -json"
	if name != standardInput {
		makes += " -o=" + name
	}
	switch {
	case len(raw) == 0:
		return h, fmt.Errorf("%s is empty; %s writes a plan to it", name, makes)
	case raw[0] != '{':
		return h, fmt.Errorf("%s is no plan: it does not hold the JSON that hew plan -json writes", name)
	case errors.Is(cut, io.ErrUnexpectedEOF):
		return h, fmt.Errorf("%s ends in the middle: it was not written to its end, or cut off since. Make it again with %s", name, makes)
	case errors.As(err, &syntax):
		return h, damaged(name, fmt.Errorf("%w, at byte %d", err, syntax.Offset))
	case h.Changes == nil && len(h.Directories) == 0 || h.Command == "" || h.FormatVersion == "":
		return h, fmt.Errorf("%s is JSON, but no plan: it does not hold what hew plan -json writes", name)
	}
	if major, ours := majorOf(h.FormatVersion), majorOf(formatVersion); major != ours {
		which := "a newer hew, of that version at least"
		if major < ours {
			which = "the hew that wrote it"
		}
		return h, fmt.Errorf("%s has format_version %s, and this hew (%s) reads %d.x. Show it with %s", name, h.FormatVersion, version, ours, which)
	}
	return h, nil
}

func readDocuments(name string, raw []byte) ([]part, error) {
	raw = bytes.TrimSpace(raw)
	h, err := readHead(name, raw)
	if err != nil {
		return nil, err
	}
	if h.Changes != nil {
		d, err := readDocument(name, h.Command, raw)
		return []part{{document: d}}, err
	}
	var parts []part
	for i, dir := range h.Directories {
		if dir.Directory == "" || len(dir.Report) == 0 {
			return nil, damaged(name, fmt.Errorf("directories[%d] has no directory or no report", i))
		}
		d, err := readDocument(name+": "+dir.Directory, h.Command, dir.Report)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part{dir.Directory, exit(dir.ExitCode), d})
	}
	return parts, nil
}

func readDocument(name, command string, raw []byte) (*document, error) {
	d := newDocument(command)
	read := json.NewDecoder(bytes.NewReader(raw))
	read.UseNumber() // as long as they were written
	if err := read.Decode(d); err != nil {
		return nil, damaged(name, err)
	}
	d.FormatVersion = formatVersion
	return d, d.intact(name, raw)
}

// majorOf is the first number of a version, -1 for what is none.
func majorOf(version string) int {
	first, _, _ := strings.Cut(version, ".")
	n, err := strconv.Atoi(first)
	if err != nil {
		return -1
	}
	return n
}

func damaged(name string, err error) error {
	return fmt.Errorf("%s is damaged: %w", name, err)
}
