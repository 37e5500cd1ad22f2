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
	"hew/provider"
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
	made, dirs     []string // what has been made so far: files, and the directories around them, the innermost first
}

func (a *app) pullCommand() *cobra.Command {
	p := pullRun{app: a}
	cmd := &cobra.Command{
		Use:   "pull group/PATH | project/PATH | instance",
		Short: "Write down what is on the host as configuration",
		Long: "hew pull writes what is on the host into new files: a group with everything in it at any depth, a project, or all of the\n" +
			"instance that the token may see. Every group has a file of its own, with its projects. What is as it would be anyway is\n" +
			"left out, and the plan of the files changes nothing: hew apply records that they are managed from now on.\n" +
			"Secrets are not written, nor is an address with one: a password, a parameter such as token, or a\n" +
			"parameter or a part of its path that looks made up by a machine, as in webhooks of chats; names, dates and versions do not, nor\n" +
			"do commits and UUIDs, but after a part such as hooks. Each is a variable in variables.hcl, and left as it is on the\n" +
			"host while that is null; where hosts insist on a value the variable has no default, and has to be set.\n" +
			"What nobody could declare, such as bots and things that nothing tells apart, is left out with a comment in the file.\n" +
			"The projects of users are in no group, and not written with the instance.\n" +
			"It writes to a new or empty directory only. It ends with 1 if something could not be read; everything else is written.\n" +
			"Where to find the host, and the token, is said by the environment, as HEW_URL and HEW_TOKEN.",
		Example: "  hew pull group/acme -out=acme\n  hew pull project/acme/api -out=api -kinds=project,protected_branch\n" +
			"  hew pull instance -out=all -without=user,project_label",
		Args:              subjectArgs,
		ValidArgsFunction: a.completeSubjects,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.run(cmd.Context(), args[0])
		},
	}
	f := cmd.Flags()
	f.StringVar(&p.dir, "out", "", "write into the new or empty directory `DIR`")
	f.StringSliceVar(&p.kinds, "kinds", nil, "only objects of the `KINDS`, with commas between them")
	f.StringSliceVar(&p.without, "without", nil, "no objects of the `KINDS`")
	addParallelism(f, &p.parallelism)
	_ = cmd.MarkFlagDirname("out") // it is there, as the next two are
	_ = cmd.RegisterFlagCompletionFunc("kinds", a.completeResources)
	_ = cmd.RegisterFlagCompletionFunc("without", a.completeResources)
	return cmd
}

// subjectArgs takes one subject.
func subjectArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return fmt.Errorf("%s takes what to write down: group/PATH, project/PATH or instance.\n%s", cmd.CommandPath(), usage.SeeHelp(cmd))
}

// completeSubjects offers how a subject begins.
func (a *app) completeSubjects(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, usage.NoFiles
	}
	return usage.WithPrefix(append(pull.Subjects(a.Kinds), "instance"), typed), usage.NoFiles | cobra.ShellCompDirectiveNoSpace
}

// completeResources offers the kinds of resources, after those that are typed.
func (a *app) completeResources(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	var lists []string
	for _, name := range usage.WithPrefix(a.Kinds.Names(), typed[len(before):], strings.Split(before, ",")...) {
		lists = append(lists, before+name)
	}
	return lists, usage.NoFiles | cobra.ShellCompDirectiveNoSpace
}

func (p *pullRun) run(ctx context.Context, text string) (err error) {
	subject, err := pull.ParseSubject(p.app.Kinds, text)
	if err != nil {
		return err
	}
	kinds, err := pull.Choose(p.app.Kinds, p.kinds, p.without)
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
	summary, err := pull.Pull(ctx, provider.New(host), subject, pull.Options{Kinds: kinds, Create: p.create, Notify: func(done, total int) {
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

// clear makes sure that nothing is in the way of the files.
func (p *pullRun) checkEmptyDir() error {
	if p.dir == "" {
		return errors.New("-out=DIR is missing: it names the new or empty directory that the files are written to")
	}
	entries, err := os.ReadDir(p.Path(p.dir))
	switch {
	case err == nil && len(entries) > 0:
		return fmt.Errorf("%s is not empty, and hew pull overwrites nothing: name a new directory, and compare or move the files by hand", p.dir)
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s is no directory to write to. Name a new or empty one: %w", p.dir, err)
	}
	return nil
}

// create makes a file, and before the first one the directory.
func (p *pullRun) create(name string) (io.WriteCloser, error) {
	if len(p.made) == 0 {
		p.dirs = missingDirs(p.Path(p.dir))
		if err := os.MkdirAll(p.Path(p.dir), 0o755); err != nil {
			return nil, err
		}
	}
	f, err := os.OpenFile(filepath.Join(p.Path(p.dir), name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	p.made = append(p.made, f.Name()) // and what somebody else has made stays
	return f, nil
}

// missing are the directories that are not there yet of those that a path leads
// through.
func missingDirs(dir string) (dirs []string) {
	for ; dir != "."; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
			break
		}
		dirs = append(dirs, dir)
	}
	return dirs
}

// undo removes the files of a run that did not get to its end: half of what there
// is looks like all of it. Its directories go as well, if nobody has put anything there.
func (p *pullRun) removeWritten() error {
	var errs []error
	for _, name := range p.made {
		errs = append(errs, os.Remove(name))
	}
	for _, dir := range p.dirs {
		_ = os.Remove(dir) // which fails where something is in it
	}
	return errors.Join(errs...)
}

// report says what was written, and what was not.
func (p *pullRun) printSummary(s *pull.Summary) {
	c := p.console(p.out)
	n := 0
	for _, blocks := range s.Blocks {
		n += blocks
	}
	if n == 0 && len(s.Files) == 0 {
		c.Paragraph(0, "There is nothing to write down of "+s.Subject+".")
	} else {
		c.Paragraph(0, fmt.Sprintf("%s of %s in %s, written to %s.", prose.Count(n, "block"), s.Subject, prose.Count(len(s.Files), "file"), p.dir))
	}
	if s.Variables > 0 {
		c.Paragraph(0, fmt.Sprintf("%s for secrets, in %s.", prose.Count(s.Variables, "variable"), filepath.Join(p.dir, "variables.hcl")))
	}
	if s.Untold > 0 {
		c.Paragraph(0, fmt.Sprintf("Hosts do not tell whether %d of them are set at all: null leaves those as they are, and a variable that you do not use can go.", s.Untold))
	}
	if len(s.Needed) > 0 {
		c.Paragraph(0, "Without a default, because hosts insist on a value: "+prose.SomeOf(s.Needed)+".")
	}
	for _, part := range []struct {
		title string
		list  []pull.Omission
	}{{"Left out:", s.Left}, {"Not there on this host:", s.Unsupported}, {"Could not be read:", s.Unread}} {
		if len(part.list) > 0 {
			fmt.Fprintln(c, part.title)
		}
		for _, o := range part.list {
			c.Paragraph(2, o.String())
		}
	}
	if n > 0 {
		c.Paragraph(0, fmt.Sprintf("hew -chdir=%s plan shows what hew makes of it.", prose.Pasted(p.Path(p.dir))))
	}
}
