package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"golang.org/x/term"

	"hew/cmd/hew/view"
	"hew/reconcile/config"
	"hew/reconcile/report"
)

// loadPrompting loads the configuration. On a terminal it asks for the variables that have no
// value.
func (a *app) loadPrompting(ctx context.Context, s settings) (*config.Config, report.Diagnostics) {
	s.Answers = a.answers
	cfg, found := a.Read(ctx, s.Options)
	if cfg == nil || len(cfg.UnsetVariables()) == 0 || !a.canPrompt(s) {
		return a.Check(cfg, found)
	}
	if s.pause != nil {
		s.pause()
	}
	answers, err := a.promptVariables(ctx, cfg.UnsetVariables())
	if err != nil {
		return nil, report.Diagnostics{Diagnostics: hcl.Diagnostics{report.Problem("Variable without a value", "%s.",
			err)}}
	}
	a.answers = append(a.answers, answers...)
	s.Answers = a.answers
	return a.Check(a.Read(ctx, s.Options))
}

// canPrompt reports whether somebody can be asked and -input allows it.
func (a *app) canPrompt(s settings) bool { return s.input && a.tty(a.in) && a.tty(a.err) }

// promptVariables asks for values of variables, in the form that -var takes.
func (a *app) promptVariables(ctx context.Context, unset []config.Variable) ([]config.Var, error) {
	c := a.console(a.err)
	var answers []config.Var
	for _, v := range unset {
		c.Printf("%s has no value.\n", c.Paint.In(view.Bold, "var."+v.Name))
		c.Paragraph(2, v.Doc)
		read, hidden := a.readLine, ""
		if v.Sensitive {
			read, hidden = a.readSecret, " (hidden)"
		}
		c.Printf("  Enter a value%s: ", hidden)
		value, err := a.interruptible(ctx, read)
		if v.Sensitive || err != nil {
			c.Printf("\n") // Return was not echoed either
		}
		if errors.Is(err, io.EOF) {
			err = errors.New("the input ended")
		}
		if err != nil {
			return nil, fmt.Errorf("var.%s was not given a value: %w. Nothing was changed", v.Name, err)
		}
		answers = append(answers, config.Var{Name: v.Name, Value: value, Prompted: true})
	}
	return answers, nil
}

// readLine reads a line of standard input, without its end. All prompts share one buffer, which may
// hold more than one line of a pipe.
func (a *app) readLine() (string, error) {
	if a.lines == nil {
		a.lines = bufio.NewReader(a.in)
	}
	line, err := a.lines.ReadString('\n')
	if errors.Is(err, io.EOF) && line != "" {
		err = nil // the next call returns io.EOF
	}
	return strings.TrimRight(line, "\r\n"), err
}

// readSecret is readLine without echo.
func (a *app) readSecret() (string, error) {
	f, ok := a.in.(*os.File)
	if !ok {
		return a.readLine()
	}
	text, err := term.ReadPassword(int(f.Fd()))
	return string(text), err
}

// interruptible reads a line and returns early when ctx ends, with the terminal as it was before.
func (a *app) interruptible(ctx context.Context, read func() (string, error)) (string, error) {
	type answer struct {
		text string
		err  error
	}
	restore := terminalRestorer(a.in)
	got := make(chan answer, 1)
	go func() {
		text, err := read()
		got <- answer{text, err}
	}()
	select {
	case <-ctx.Done():
		restore()
		return "", errors.New("interrupted")
	case given := <-got:
		return given.text, given.err
	}
}

// terminalRestorer returns a function that restores the current state of a terminal.
func terminalRestorer(stream any) (restore func()) {
	f, ok := stream.(*os.File)
	if !ok {
		return func() {}
	}
	state, err := term.GetState(int(f.Fd()))
	if err != nil {
		return func() {} // not a terminal
	}
	return func() { _ = term.Restore(int(f.Fd()), state) } // the run ends anyway
}
