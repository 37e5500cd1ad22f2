package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"hew/cmd/hew/view"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

func (a *app) showCommand() *cobra.Command {
	f := form{shows: true}
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
			r, err := a.view(parts[0].Command, f)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, r.Close()) }()
			for _, p := range parts {
				view.ShowPart(r.view, p)
				err = errors.Join(err, planless(p, inputName(args[0])))
			}
			return err
		},
	}
	f.flags(cmd)
	return cmd
}

// planless is an error for a part of a file that has no plan.
func planless(p report.Part, file string) error {
	switch {
	case p.Planned:
		return nil
	case p.Name != "":
		return fmt.Errorf("there is no plan of %s in %s: hew %s failed before it had one", p.Name, file, p.Command)
	}
	return fmt.Errorf("there is no plan in %s: hew %s failed before it had one", file, p.Command)
}

func showArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return fmt.Errorf("%s takes one file, as hew plan -json -o=plan.json writes it: hew show plan.json.\n%s", cmd.CommandPath(), seeHelp(cmd))
}

// document reads the one document of a file.
func (a *app) document(name string) (*report.Document, error) {
	parts, err := a.documents(name)
	if err != nil {
		return nil, err
	}
	if parts[0].Name != "" {
		return nil, fmt.Errorf("%s tells of %s, and one is applied at a time. hew plan -out=FILE %s saves a plan into each, and hew apply -chdir=%s FILE does one",
			inputName(name), prose.Count(len(parts), "directory", "directories"), strings.Join(namesOf(parts), " "), prose.Pasted(parts[0].Name))
	}
	return parts[0].Document, nil
}

func namesOf(parts []report.Part) (names []string) {
	for _, p := range parts {
		names = append(names, p.Name)
	}
	return names
}

// documents reads what a view for programs wrote.
func (a *app) documents(name string) ([]report.Part, error) {
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
	return report.Read(inputName(name), a.version, raw)
}

// inputName is what a file is called that is read.
func inputName(file string) string {
	if file == "-" {
		return report.StandardInput
	}
	return file
}
