package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/spf13/cobra"
	"github.com/zclconf/go-cty/cty"
	"golang.org/x/term"

	"hew/cmd/hew/session"
	"hew/cmd/hew/usage"
	"hew/cmd/hew/view"
	"hew/reconcile"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/schema/pattern"
)

func (a *app) consoleCommand() *cobra.Command {
	var (
		s       = settings{Options: session.Options{Browse: true}}
		offline bool
	)
	cmd := &cobra.Command{
		Use:   "console",
		Short: "Evaluate expressions",
		Long: `hew console reads expressions, one per line, and prints their values. Expressions can use variables,
locals and functions, and resources and data sources with their planned values. A line with an open
bracket or heredoc continues on the next line.

exit, quit or Ctrl-D ends it. If the input is not a terminal, the first error ends it with exit code
1. hew console never writes to the host.`,
		Example: "  hew console\n" +
			"  echo 'group.acme.id' | hew console\n" +
			"  echo 'upper(var.name)' | hew console -offline",
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.check(); err != nil {
				return err
			}
			if offline {
				return a.consoleOffline(cmd.Context(), s)
			}
			return a.withEngine(cmd, s, stderrListener{a.console(a.err)}, planWith(reconcile.Options{}),
				func(eng engine, p *plan.Plan) error {
					stderrListener{a.console(a.err)}.blocked(p)
					return a.readExpressions(cmd.Context(), eng.Expression, eng.Sources())
				})
		},
	}
	s.addFlags(a, cmd)
	cmd.Flags().BoolVar(&offline, "offline", false, "send no requests to the host; its values are unknown")
	return cmd
}

// consoleOffline evaluates expressions without a host. Variables need no values.
func (a *app) consoleOffline(ctx context.Context, s settings) error {
	s.Partial = true
	cfg, found := a.Load(ctx, s.Options)
	if cfg == nil {
		view.WriteDiagnostics(found, a.console(a.err))
		return failed
	}
	eval := cfg.NewEval()
	_, diags := eval.Run(ctx, nil)
	found.Diagnostics = append(found.Diagnostics, diags...)
	view.WriteDiagnostics(found, a.console(a.err))
	if found.HasErrors() {
		return failed
	}
	return a.readExpressions(ctx, func(ctx context.Context, text string) (cty.Value, hcl.Diagnostics) {
		return eval.Expression(ctx, nil, text)
	}, cfg.Sources())
}

// evaluator returns the value of an expression.
type evaluator func(ctx context.Context, text string) (cty.Value, hcl.Diagnostics)

// leaveHint says how to leave the console at a terminal.
const leaveHint = "exit, quit or Ctrl-D ends the console."

// wantsOut matches a line that is meant for the console and is not an expression.
var wantsOut = pattern.Lazy(`^\s*:?(exit|quit|q|help)\b`)

// readExpressions evaluates what is typed or piped until the input ends.
func (a *app) readExpressions(ctx context.Context, eval evaluator, files report.Sources) error {
	line, prompt, persistent := a.readLine, func(string) {}, a.tty(a.in)
	if in, ok := a.in.(*os.File); ok && persistent && a.tty(a.out) {
		editor, restore, err := newLineEditor(in, a.out)
		if err != nil {
			return err
		}
		defer restore()
		defer func(out, err io.Writer) { a.out, a.err = out, err }(a.out, a.err)
		line, prompt = editor.ReadLine, editor.SetPrompt
		if a.out = editor; a.tty(a.err) {
			a.err = editor
		}
		fmt.Fprintln(a.out, "Enter an expression to print its value. "+leaveHint)
	}
	for text := ""; ; {
		prompt("> ")
		if text != "" {
			prompt(": ") // a bracket or a heredoc is open
		}
		next, err := a.interruptible(ctx, line)
		switch {
		case ctx.Err() != nil:
			return failed
		case errors.Is(err, io.EOF) && text == "":
			return nil
		case err != nil && !errors.Is(err, io.EOF):
			return err
		}
		ended := err != nil // in the middle of an expression, which is then a syntax error
		text += next + "\n" // a heredoc ends with a line break
		code, open := scanExpression(text)
		switch {
		case slices.Contains([]string{"exit", "quit"}, strings.TrimSpace(text)):
			return nil
		case !code:
			text = ""
			continue
		case !ended && open:
			if persistent && wantsOut().MatchString(next) {
				a.console(a.err).Paragraph(0, "A bracket or heredoc is open. Close it, or press Ctrl-D to end it here.")
			}
			continue
		}
		if err := a.printValue(ctx, text, eval, files); err != nil {
			if !persistent {
				return err
			}
			if wantsOut().MatchString(text) {
				a.console(a.err).Paragraph(0, leaveHint)
			}
		}
		text = ""
	}
}

// expressionName is the file name of an expression in diagnostics.
const expressionName = "expression"

// printValue prints the value of an expression, or its errors.
func (a *app) printValue(ctx context.Context, text string, eval evaluator, files report.Sources) error {
	v, diags := eval(ctx, text)
	if len(diags) > 0 {
		all := report.Sources{expressionName: &hcl.File{Bytes: []byte(text)}}
		for name, file := range files {
			all[name] = file
		}
		view.WriteDiagnostics(report.Diagnostics{Diagnostics: diags, Sources: all}, a.console(a.err))
	}
	if diags.HasErrors() {
		return failed
	}
	_, err := fmt.Fprintln(a.out, report.ValueOf(v).Pretty(0))
	return err
}

// scanExpression reports whether a text has anything but comments, and whether a bracket, template
// or heredoc is open at its end.
func scanExpression(text string) (code, open bool) {
	// its errors are reported when it is evaluated
	tokens, _ := hclsyntax.LexExpression([]byte(text), expressionName, hcl.InitialPos)
	depth := 0
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenOHeredoc,
			hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			depth++
		case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenCHeredoc,
			hclsyntax.TokenTemplateSeqEnd:
			depth--
		}
		switch t.Type {
		case hclsyntax.TokenComment, hclsyntax.TokenNewline, hclsyntax.TokenEOF:
		default:
			code = true
		}
	}
	return code, depth > 0
}

// newLineEditor puts a terminal into raw mode and returns an editor with a history for its lines.
// All output has to go through the editor until restore is called.
func newLineEditor(in *os.File, out io.Writer) (editor *term.Terminal, restore func(), err error) {
	state, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return nil, nil, err
	}
	stream := struct {
		io.Reader
		io.Writer
	}{in, out}
	editor = term.NewTerminal(stream, "")
	if width, height, err := term.GetSize(int(in.Fd())); err == nil && width > 0 {
		_ = editor.SetSize(width, height) // the default is 80 columns
	}
	return editor, func() { _ = term.Restore(int(in.Fd()), state) }, nil
}
