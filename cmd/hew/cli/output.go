package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"hew/cmd/hew/usage"
	"hew/cmd/hew/view"
	"hew/reconcile"
	"hew/reconcile/config"
	"hew/reconcile/didyoumean"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
	"hew/schema"
)

func (a *app) outputCommand() *cobra.Command {
	var (
		s           settings
		asJSON, raw bool
	)
	cmd := &cobra.Command{
		Use:   "output [NAME]",
		Short: "Print the outputs of the configuration",
		Long: `hew output prints the outputs of the configuration, or one of them, with values read from the host.
hew stores no values of earlier runs: a value that only an apply can produce prints as (known after
apply).

To print a sensitive output, name it and pass -json or -raw.`,
		ValidArgsFunction: a.completeOutputs(&s),
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return fmt.Errorf("%s takes the name of one output, or nothing for all of them.\n%s",
					cmd.CommandPath(), usage.SeeHelp(cmd))
			case raw && asJSON:
				return fmt.Errorf("-raw and -json cannot be combined. Use one of the two")
			case raw && len(args) == 0:
				return fmt.Errorf("-raw prints one output. Name it: hew output -raw NAME.\n%s", usage.SeeHelp(cmd))
			}
			return s.check()
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			name := strings.Join(args, "") // one at most
			outputs := func(ctx context.Context, eng engine) (*plan.Plan, hcl.Diagnostics) {
				return eng.Outputs(ctx,
					name)
			}
			return a.withEngine(cmd, s, stderrListener{a.console(a.err)}, outputs, func(_ engine, p *plan.Plan) error {
				stderrListener{a.console(a.err)}.blocked(p)
				if len(args) == 0 {
					if err := a.printOutputs(p.Outputs, asJSON); err != nil || len(p.Blocked) == 0 {
						return err
					}
					return failed
				}
				o, err := findOutput(p.Outputs, name)
				if err != nil {
					return err
				}
				return a.printOutput(o, asJSON, raw)
			})
		},
	}
	s.addFlags(a, cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, for all outputs with their types")
	cmd.Flags().BoolVar(&raw, "raw", false, "print a string, number or bool without quotes, for shells")
	return cmd
}

// stderrListener prints diagnostics to standard error, for commands that do not print a plan.
type stderrListener struct{ view.Console }

func (s stderrListener) Changed(reconcile.Event)          {}
func (s stderrListener) Diagnostics(r report.Diagnostics) { view.WriteDiagnostics(r, s.Console) }

// blocked prints which objects could not be read: values that depend on them are not known.
func (s stderrListener) blocked(p *plan.Plan) {
	for _, b := range p.Blocked {
		s.Paragraph(0, fmt.Sprintf("Not known: %s. %s", b.Addr, prose.Sentence(b.Reason)))
	}
}

func findOutput(all []config.Output, name string) (config.Output, error) {
	var names []string
	for _, o := range all {
		if o.Name == name {
			return o, nil
		}
		names = append(names, o.Name)
	}
	hint := ". Run hew output to list all outputs"
	if near := didyoumean.Nearest(name, names); near != "" {
		hint = fmt.Sprintf(". Did you mean %s?", near)
	} else if len(all) == 0 {
		hint = ": it declares no outputs"
	}
	return config.Output{}, fmt.Errorf("the configuration has no output %q%s", name, hint)
}

// printOutputs prints all outputs in the syntax of the configuration, or as a JSON object like that
// of Terraform.
func (a *app) printOutputs(all []config.Output, asJSON bool) error {
	if asJSON {
		doc := map[string]outputDoc{}
		for _, o := range all {
			d, err := outputOf(o)
			if err != nil {
				return err
			}
			doc[o.Name] = d
		}
		return report.WriteJSON(a.out, doc)
	}
	if len(all) == 0 {
		a.console(a.err).Paragraph(0, "The configuration declares no outputs.")
	}
	for _, o := range all {
		value := report.Secret
		if !o.Sensitive {
			value = report.ValueOf(o.Value).Pretty(0)
		}
		if _, err := fmt.Fprintf(a.out, "%s = %s\n", o.Name, value); err != nil {
			return err
		}
	}
	return nil
}

// outputDoc is an output in JSON, as Terraform prints it.
type outputDoc struct {
	Sensitive bool            `json:"sensitive"`
	Type      json.RawMessage `json:"type"`
	Value     any             `json:"value"`
	// known after apply, at least in part; the unknown parts are null
	Unknown bool `json:"unknown,omitempty"`
}

func outputOf(o config.Output) (outputDoc, error) {
	d := outputDoc{Sensitive: o.Sensitive || schema.IsSecret(o.Value)}
	if !d.Sensitive {
		d.Value, d.Unknown = report.PlainValue(o.Value)
	}
	var err error
	d.Type, err = ctyjson.MarshalType(o.Value.Type())
	return d, err
}

// printOutput prints one output. -json and -raw print a sensitive one too, because it was asked for
// by name.
func (a *app) printOutput(o config.Output, asJSON, raw bool) error {
	switch {
	case !asJSON && !raw && o.Sensitive:
		_, err := fmt.Fprintln(a.out, report.Secret)
		return err
	case !asJSON && !raw:
		_, err := fmt.Fprintln(a.out, report.ValueOf(o.Value).Pretty(0))
		return err
	}
	v, _ := o.Value.UnmarkDeep()
	if !v.IsWhollyKnown() {
		return fmt.Errorf("output %s is not known until apply. Run hew apply first", o.Name)
	}
	if asJSON {
		plain, _ := report.PlainValue(v)
		return report.WriteJSON(a.out, plain)
	}
	text, err := convert.Convert(v, cty.String)
	if err != nil || text.IsNull() {
		return fmt.Errorf("-raw prints a string, number or bool, but output %s is %s. Use -json", o.Name,
			describeType(v))
	}
	_, err = io.WriteString(a.out, text.AsString())
	return err
}

// describeType names the type of a value that cannot be a string.
func describeType(v cty.Value) string {
	if v.IsNull() {
		return "null"
	}
	return "a " + v.Type().FriendlyName()
}
