package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"hew/cmd/hew/usage"
	"hew/cmd/hew/view"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

func (a *app) showCommand() *cobra.Command {
	f := rendering{saved: true}
	cmd := &cobra.Command{
		Use:   "show FILE",
		Short: "Print a saved plan or report in any format",
		Long: `hew show reads a file written by plan, apply, drift or destroy with -json, or by plan -out, and
prints it as text or in another format. It needs neither the configuration nor the host.

FILE is - for standard input. hew show rejects a file that was edited after it was written.`,
		Example: "  hew plan -json -o=plan.json\n" +
			"  hew show plan.json\n" +
			"  hew show plan.json -format=junit -o=plan.xml",
		Args: showArgs,
		RunE: func(_ *cobra.Command, args []string) (err error) {
			parts, err := a.readDocuments(args[0])
			if err != nil {
				return err
			}
			r, err := a.newReporter(parts[0].Command, f)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, r.Close()) }()
			for _, p := range parts {
				view.ShowPart(r.view, p)
				err = errors.Join(err, checkPlanned(p, inputName(args[0])))
			}
			return err
		},
	}
	f.addFlags(cmd)
	return cmd
}

// checkPlanned returns an error for a part of a file that has no plan.
func checkPlanned(p report.Part, file string) error {
	switch {
	case p.Planned:
		return nil
	case p.Name != "":
		return fmt.Errorf("%[2]s contains no plan of %[1]s, because hew %[3]s failed. Fix its errors and run it again",
			p.Name, file, p.Command)
	}
	return fmt.Errorf("%s contains no plan, because hew %s failed. Fix its errors and run it again", file, p.Command)
}

func showArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return fmt.Errorf("%s takes one argument: the name of a saved plan or report, or - for standard input.\n%s",
		cmd.CommandPath(),
		usage.SeeHelp(cmd))
}

// readDocument reads the only document of a file.
func (a *app) readDocument(name string) (*report.Document, error) {
	parts, err := a.readDocuments(name)
	if err != nil {
		return nil, err
	}
	if parts[0].Name != "" {
		return nil, fmt.Errorf("%s is about %s, but hew apply takes one at a time. Run hew plan -out=FILE %s, "+
			"which saves a plan in each, then hew apply -chdir=%s FILE",
			inputName(name), prose.Count(len(parts), "directory", "directories"), strings.Join(namesOf(parts),
				" "), prose.Pasted(parts[0].Name))
	}
	return parts[0].Document, nil
}

func namesOf(parts []report.Part) (names []string) {
	for _, p := range parts {
		names = append(names, p.Name)
	}
	return names
}

// readDocuments reads a file that was written with -json.
func (a *app) readDocuments(name string) ([]report.Part, error) {
	var raw []byte
	var err error
	if name == "-" {
		raw, err = io.ReadAll(a.in)
	} else {
		raw, err = os.ReadFile(a.Path(name))
	}
	if err != nil {
		return nil, fmt.Errorf("the plan cannot be read: %w", err)
	}
	return report.Read(inputName(name), a.Version, raw)
}

// inputName returns the name of an input file for messages.
func inputName(file string) string {
	if file == "-" {
		return report.StandardInput
	}
	return file
}
