package cli

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hew/cmd/hew/docs"
	"hew/reconcile/addr"
	"hew/reconcile/config"
)

func (a *app) completionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:       "completion bash|zsh|fish|powershell",
		Short:     "Print a completion script for a shell",
		Example:   "  source <(hew completion bash)\n  hew completion fish > ~/.config/fish/completions/hew.fish",
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && slices.Contains(cmd.ValidArgs, args[0]) {
				return nil
			}
			return fmt.Errorf("%s takes the name of a shell: %s.\n%s", cmd.CommandPath(), strings.Join(cmd.ValidArgs, ", "), seeHelp(cmd))
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "zsh":
				return root.GenZshCompletion(a.out)
			case "fish":
				return root.GenFishCompletion(a.out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.out)
			}
			if err := root.GenBashCompletionV2(a.out, true); err != nil {
				return err
			}
			_, err := io.WriteString(a.out, quotedCandidates)
			return err
		},
	}
	return cmd
}

// quotedCandidates has bash keep the quotes of addresses: what several of them
// have in common gets into the line, and the script above escapes only one that
// is alone.
const quotedCandidates = `
eval "_$(declare -f __start_hew)"
__start_hew()
{
    ___start_hew "$@"
    local i
    for i in "${!COMPREPLY[@]}"; do
        if [[ ${COMPREPLY[i]} == *'["'* ]]; then
            printf -v "COMPREPLY[$i]" %q "${COMPREPLY[i]}"
        fi
    done
}
`

// completing tells whether a shell asks what could come next in a line.
func completing(args []string) bool {
	return len(args) > 1 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// halfFlag tells whether the last word of a line is the beginning of a flag,
// typed with one dash.
func halfFlag(args []string) bool {
	last := args[len(args)-1]
	return strings.HasPrefix(last, "-") && !strings.HasPrefix(last, "--")
}

// offered writes what cobra offers to a shell as people type it: flags with one
// dash if they begin so, and what they are for without the marks of its help.
// It is given a line at a time.
type offered struct {
	io.Writer
	oneDash bool
}

func (w offered) Write(line []byte) (int, error) {
	shown := bytes.ReplaceAll(line, []byte("`"), nil)
	if w.oneDash {
		shown = bytes.TrimPrefix(shown, []byte("-"))
	}
	if _, err := w.Writer.Write(shown); err != nil {
		return 0, err
	}
	return len(line), nil
}

// nothingElse ends a list of completions: no file names after it.
const nothingElse = cobra.ShellCompDirectiveNoFileComp

// complete has shells offer the values of a flag that has only these.
func complete(cmd *cobra.Command, flag string, values ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, nothingElse)) // fails for no flag only
}

// beginning returns the names that go on from what was typed, without those
// that were given already.
func beginning(names []string, typed string, given ...string) []string {
	return slices.DeleteFunc(names, func(name string) bool {
		return !strings.HasPrefix(name, typed) || slices.Contains(given, name)
	})
}

// completeKinds offers the kinds of resources and data sources.
func (a *app) completeKinds(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	return beginning(docs.KindNames(a.kinds()), typed, args...), nothingElse
}

// completeAddresses offers what a plan can be narrowed to: the modules, blocks
// and objects of the configuration, and the objects of its ledger.
func (a *app) completeAddresses(s *settings) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		names := map[string]bool{}
		cfg, result := a.declared(s)
		if cfg == nil {
			return nil, nothingElse
		}
		for _, d := range cfg.Dependencies() {
			if d.Block.Mode == addr.Resource {
				names[d.Block.String()] = true
			}
			if call := (addr.Block{Module: d.Block.Module}); call.IsCall() {
				names[call.String()] = true
			}
		}
		for _, d := range result.Instances {
			names[d.Addr.String()] = true
		}
		for _, at := range a.entries(cmd.Context(), s) {
			names[at.String()] = true
		}
		return beginning(slices.Sorted(maps.Keys(names)), typed), nothingElse
	}
}

// completeOutputs offers the outputs of the configuration, of which a command
// takes one.
func (a *app) completeOutputs(s *settings) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		_, result := a.declared(s)
		var names []string
		if len(args) == 0 {
			for _, o := range result.Outputs {
				names = append(names, o.Name)
			}
		}
		return beginning(names, typed), nothingElse
	}
}

// declared is what the configuration says without a host; nothing, if it
// cannot be read. A shell that asks for completions cannot show why.
func (a *app) declared(s *settings) (*config.Config, config.Result) {
	offline := *s
	offline.partial = true
	cfg, _ := a.load(offline)
	if cfg == nil {
		return nil, config.Result{}
	}
	result, _ := cfg.NewEval().Run(nil)
	return cfg, result
}

// completeDirectories offers directories, of which there may be several.
func completeDirectories(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completeFiles offers the files that end so, as they are named from -chdir;
// without that the shell does it, which knows ~ and the like.
func (a *app) completeFiles(extensions ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		if a.dir == "" {
			return extensions, cobra.ShellCompDirectiveFilterFileExt
		}
		dir, _ := filepath.Split(typed)
		entries, _ := os.ReadDir(a.path(dir)) // one that cannot be read has nothing to offer
		var names []string
		for _, e := range entries {
			switch name := dir + e.Name(); {
			case e.Name()[0] == '.' && !strings.HasPrefix(typed, name[:len(dir)+1]): // hidden unless asked for
			case e.IsDir():
				names = append(names, name+"/")
			case slices.ContainsFunc(extensions, func(end string) bool { return strings.HasSuffix(name, "."+end) }):
				names = append(names, name)
			}
		}
		return beginning(names, typed), nothingElse | cobra.ShellCompDirectiveNoSpace
	}
}
