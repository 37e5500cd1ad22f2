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
			"have without it. It needs neither the configuration nor the host. FILE is - for standard input.",
		Example: "  hew plan -json -o=plan.json\n  hew show plan.json",
		Args:    showArgs,
		RunE: func(_ *cobra.Command, args []string) (err error) {
			d, err := a.document(args[0])
			if err != nil {
				return err
			}
			again := reread{kinds: provider.Kinds().Named}
			p, err := again.plan(d)
			if err != nil {
				return damaged(args[0], err)
			}
			o, err := again.outcome(d.Outcome)
			if err != nil {
				return damaged(args[0], err)
			}
			v, err := a.view(d.Command, f)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, v.Close()) }()
			v.Show(d, p, o)
			if !d.Planned {
				return fmt.Errorf("there is no plan in %s: hew %s failed before it had one", args[0], d.Command)
			}
			return nil
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

// document reads a document of this run's view for programs.
func (a *app) document(name string) (*document, error) {
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
	return readDocument(name, raw)
}

// readDocument takes nothing for a plan that is not one, nor one that a newer
// hew wrote in another form.
func readDocument(name string, raw []byte) (*document, error) {
	var head struct {
		FormatVersion string           `json:"format_version"`
		Command       string           `json:"command"`
		Changes       *json.RawMessage `json:"changes"`
	}
	raw = bytes.TrimSpace(raw)
	err := json.Unmarshal(raw, &head)
	cut := json.NewDecoder(bytes.NewReader(raw)).Decode(new(json.RawMessage))
	var syntax *json.SyntaxError
	switch {
	case len(raw) == 0:
		return nil, fmt.Errorf("%s is empty; hew plan -json -o=%s writes a plan to it", name, name)
	case raw[0] != '{':
		return nil, fmt.Errorf("%s is no plan: it does not hold the JSON that hew plan -json writes", name)
	case errors.Is(cut, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%s ends in the middle: it was not written to its end, or cut off since. Make it again with hew plan -json -o=%s", name, name)
	case errors.As(err, &syntax):
		return nil, damaged(name, fmt.Errorf("%w, at byte %d", err, syntax.Offset))
	case head.Changes == nil || head.Command == "" || head.FormatVersion == "":
		return nil, fmt.Errorf("%s is JSON, but no plan: it does not hold what hew plan -json writes", name)
	}
	if major, ours := majorOf(head.FormatVersion), majorOf(formatVersion); major != ours {
		which := "a newer hew, of that version at least"
		if major < ours {
			which = "the hew that wrote it"
		}
		return nil, fmt.Errorf("%s has format_version %s, and this hew (%s) reads %d.x. Show it with %s", name, head.FormatVersion, version, ours, which)
	}
	d := newPrograms(nil, head.Command).doc
	read := json.NewDecoder(bytes.NewReader(raw))
	read.UseNumber() // as long as they were written
	if err := read.Decode(&d); err != nil {
		return nil, damaged(name, err)
	}
	d.FormatVersion = formatVersion
	return &d, nil
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
