package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"hew/cmd/hew/progress"
	"hew/cmd/hew/usage"
	"hew/reconcile"
	"hew/reconcile/pull"
	"hew/reconcile/report/prose"
)

// pullRun is a run of hew pull.
type pullRun struct {
	*app
	dir            string
	kinds, without []string
	parallelism    int
	files, dirs    []string // created so far; the innermost directory first
}

func (a *app) pullCommand() *cobra.Command {
	p := pullRun{app: a}
	cmd := &cobra.Command{
		Use:   "pull group/PATH | project/PATH | instance",
		Short: "Write configuration for existing objects",
		Long: `hew pull writes configuration for existing objects to new files: a group with everything in it at
any depth, a project, or everything on the instance that the token can see. Every group gets a file
of its own, with its projects. Arguments that equal their defaults are omitted. A plan of the files
shows no changes; hew apply then records the objects in the ledger.

hew replaces each secret with a variable in variables.hcl. Secrets are passwords, tokens, and URLs
that seem to contain one: a password, a parameter such as token, or a generated part, as in the path
of a chat webhook. While a variable is null, hew leaves the value on the host alone. Set every
variable that has no default; hosts require a value.

Objects that cannot be declared, such as bots, are listed in a comment in the file. hew pull
instance skips personal projects.

DIR must be new or empty. The host and token come from HEW_URL and HEW_TOKEN.

Exits 0 if everything was written; 1 if something could not be read (everything else is written).`,
		Example: "  hew pull group/acme -out=acme\n" +
			"  hew pull project/acme/api -out=api -kinds=project,protected_branch\n" +
			"  hew pull instance -out=all -without=user,project_label",
		Args:              subjectArgs,
		ValidArgsFunction: a.completeSubjects,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.run(cmd.Context(), args[0])
		},
	}
	f := cmd.Flags()
	f.StringVar(&p.dir, "out", "", "write to the new or empty directory `DIR`")
	f.StringSliceVar(&p.kinds, "kinds", nil, "write only objects of these `KINDS`, separated by commas")
	f.StringSliceVar(&p.without, "without", nil, "skip objects of these `KINDS`, separated by commas")
	addParallelism(f, &p.parallelism)
	_ = cmd.MarkFlagDirname("out") // fails for no flag only, like the next two
	_ = cmd.RegisterFlagCompletionFunc("kinds", a.completeResources)
	_ = cmd.RegisterFlagCompletionFunc("without", a.completeResources)
	return cmd
}

// subjectArgs accepts one subject.
func subjectArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return fmt.Errorf("%s takes one argument: group/PATH, project/PATH or instance.\n%s", cmd.CommandPath(),
		usage.SeeHelp(cmd))
}

// completeSubjects completes the beginning of a subject.
func (a *app) completeSubjects(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, usage.NoFiles
	}
	return usage.WithPrefix(append(pull.Subjects(a.Kinds()), "instance"),
		typed), usage.NoFiles | cobra.ShellCompDirectiveNoSpace
}

// completeResources completes a list of kinds of resources.
func (a *app) completeResources(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	var lists []string
	for _, name := range usage.WithPrefix(a.Kinds().Names(), typed[len(before):], strings.Split(before, ",")...) {
		lists = append(lists, before+name)
	}
	return lists, usage.NoFiles | cobra.ShellCompDirectiveNoSpace
}

func (p *pullRun) run(ctx context.Context, text string) (err error) {
	subject, err := pull.ParseSubject(p.app.Kinds(), text)
	if err != nil {
		return err
	}
	kinds, err := pull.Choose(p.app.Kinds(), p.kinds, p.without)
	if err != nil {
		return err
	}
	host, err := p.ReadOnlyHost(p.parallelism)
	if err != nil {
		return err
	}
	if err := p.checkEmptyDir(); err != nil {
		return err
	}
	line, stop := p.startProgress()
	summary, err := pull.Pull(ctx, host, subject, pull.Options{Kinds: kinds, Create: p.create, Notify: func(done,
		total int) {
		line.Notify(reconcile.Event{Phase: progress.Pull, Done: done, Total: total}, func(reconcile.Event) {})
	}})
	stop()
	if err != nil {
		return errors.Join(err, p.removeWritten())
	}
	p.printSummary(summary)
	if len(summary.Unread) > 0 {
		return failed
	}
	return nil
}

// checkEmptyDir returns an error unless the directory is new or empty.
func (p *pullRun) checkEmptyDir() error {
	if p.dir == "" {
		return errors.New("missing -out=DIR. Set it to a new or empty directory for the files")
	}
	entries, err := os.ReadDir(p.Path(p.dir))
	switch {
	case err == nil && len(entries) > 0:
		return fmt.Errorf("%s is not empty, and hew pull overwrites nothing. Name a new directory, and move the "+
			"files by hand", p.dir)
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s cannot be used as a directory. Name a new or empty one: %w", p.dir, err)
	}
	return nil
}

// create creates a file, and before the first one the directory.
func (p *pullRun) create(name string) (io.WriteCloser, error) {
	if len(p.files) == 0 {
		p.dirs = missingDirs(p.Path(p.dir))
		if err := os.MkdirAll(p.Path(p.dir), 0o755); err != nil {
			return nil, err
		}
	}
	f, err := os.OpenFile(filepath.Join(p.Path(p.dir), name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	p.files = append(p.files, f.Name()) // files of others are never removed
	return f, nil
}

// missingDirs returns the directories of a path that do not exist yet, the innermost first.
func missingDirs(dir string) (dirs []string) {
	for ; dir != "."; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
			break
		}
		dirs = append(dirs, dir)
	}
	return dirs
}

// removeWritten removes the files of a run that failed, because half of a result looks like all of
// it, and the directories that it has created unless something else is in them.
func (p *pullRun) removeWritten() error {
	var errs []error
	for _, name := range p.files {
		errs = append(errs, os.Remove(name))
	}
	for _, dir := range p.dirs {
		_ = os.Remove(dir) // fails for a directory that is not empty
	}
	return errors.Join(errs...)
}

// printSummary prints what was written and what was not.
func (p *pullRun) printSummary(s *pull.Summary) {
	c := p.console(p.out)
	n := 0
	for _, blocks := range s.Blocks {
		n += blocks
	}
	if n == 0 && len(s.Files) == 0 {
		c.Paragraph(0, "Nothing to write for "+s.Subject+".")
	} else {
		c.Paragraph(0, fmt.Sprintf("%s of %s in %s, written to %s.", prose.Count(n, "block"), s.Subject,
			prose.Count(len(s.Files), "file"), p.dir))
	}
	if s.Variables > 0 {
		c.Paragraph(0, fmt.Sprintf("%s for secrets in %s.", prose.Count(s.Variables, "variable"),
			filepath.Join(p.dir, "variables.hcl")))
	}
	if s.UnknownSecrets > 0 {
		c.Paragraph(0, fmt.Sprintf("For %d of them the host does not show whether a value is set. Leave a variable "+
			"null to keep the value on the host, or remove it.", s.UnknownSecrets))
	}
	if len(s.RequiredVariables) > 0 {
		c.Paragraph(
			0, "Variables without a default, because hosts require a value: "+prose.SomeOf(s.RequiredVariables)+".",
		)
	}
	for _, part := range []struct {
		title string
		list  []pull.Omission
	}{{"Left out:", s.Omitted}, {"Not supported by this host:", s.Unsupported}, {"Could not be read:", s.Unread}} {
		if len(part.list) > 0 {
			fmt.Fprintln(c, part.title)
		}
		for _, o := range part.list {
			c.Paragraph(2, o.String())
		}
	}
	if n > 0 {
		c.Paragraph(0, fmt.Sprintf("Run hew -chdir=%s plan to check the files.", prose.Pasted(p.Path(p.dir))))
	}
}
