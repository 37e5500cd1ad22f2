package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
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
)

func (a *app) consoleCommand() *cobra.Command {
	var (
		s     = settings{Options: session.Options{Browse: true}}
		alone bool
	)
	cmd := &cobra.Command{
		Use:   "console",
		Short: "Evaluate expressions",
		Long: "hew console reads expressions, a line each, and prints their values: of variables, local values, functions, and of\n" +
			"resources and data sources as a plan sees them. A line that leaves a bracket or a heredoc open goes on in the next.\n" +
			"Comments say nothing. exit or Ctrl-D ends it. Where the lines do not come from a terminal, the first error ends it with 1. Nothing is ever written.",
		Example: "  hew console\n  echo 'group.acme.id' | hew console\n  echo 'upper(var.name)' | hew console -offline",
		Args:    usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.check(); err != nil {
				return err
			}
			if alone {
				return a.consoleOffline(cmd.Context(), s)
			}
			return a.withEngine(cmd, s, stderrListener{a.console(a.err)}, planWith(reconcile.Options{}), func(ses engine, p *plan.Plan) error {
				stderrListener{a.console(a.err)}.blocked(p)
				return a.readExpressions(cmd.Context(), ses.Expression, ses.Sources())
			})
		},
	}
	s.addFlags(a, cmd)
	cmd.Flags().BoolVar(&alone, "offline", false, "without the host: what only it can tell is not known")
	return cmd
}

// consoleOffline evaluates with the configuration alone. Variables need no
// values.
func (a *app) consoleOffline(ctx context.Context, s settings) error {
	s.Partial = true
	cfg, found := a.Load(s.Options)
	if cfg == nil {
		view.WriteDiagnostics(found, a.console(a.err))
		return failed
	}
	eval := cfg.NewEval()
	_, diags := eval.Run(nil)
	found.Diagnostics = append(found.Diagnostics, diags...)
	view.WriteDiagnostics(found, a.console(a.err))
	if found.HasErrors() {
		return failed
	}
	return a.readExpressions(ctx, func(text string) (cty.Value, hcl.Diagnostics) { return eval.Expression(nil, text) }, cfg.Sources())
}

// evaluator gives the value of an expression.
type evaluator func(text string) (cty.Value, hcl.Diagnostics)

// converse evaluates what is typed or piped until that ends.
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
		ended := err != nil // in the midst of an expression, which then says what is wrong with it
		text += next + "\n" // without its end a heredoc has none
		said, open := scanExpression(text)
		switch {
		case strings.TrimSpace(text) == "exit":
			return nil
		case !said:
			text = ""
			continue
		case !ended && open:
			continue
		}
		if err := a.printValue(text, eval, files); err != nil && !persistent {
			return err
		}
		text = ""
	}
}

// expressionName is what diagnostics call the text that was typed.
const expressionName = "expression"

// answerTo prints the value of an expression, or what is wrong with it.
func (a *app) printValue(text string, eval evaluator, files report.Sources) error {
	v, diags := eval(text)
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

// heard tells whether a text says anything but comments, and whether it leaves a
// bracket, a template or a heredoc open.
func scanExpression(text string) (said, open bool) {
	tokens, _ := hclsyntax.LexExpression([]byte(text), expressionName, hcl.InitialPos) // what is wrong in it is told later
	depth := 0
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenOHeredoc, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			depth++
		case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenCHeredoc, hclsyntax.TokenTemplateSeqEnd:
			depth--
		}
		switch t.Type {
		case hclsyntax.TokenComment, hclsyntax.TokenNewline, hclsyntax.TokenEOF:
		default:
			said = true
		}
	}
	return said, depth > 0
}

// edited makes a terminal one on which lines are edited and earlier ones come
// back. Output has to go through it until it is restored.
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
		_ = editor.SetSize(width, height) // the usual 80 serve as well
	}
	return editor, func() { _ = term.Restore(int(in.Fd()), state) }, nil
}
