package cli

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hew/cmd/hew/docs"
	"hew/cmd/hew/usage"
	"hew/reconcile/addr"
	"hew/reconcile/config"
)

func (a *app) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print a completion script for a shell",
		Long: `hew completion prints a script that completes commands, flags, addresses and files of hew in a
shell. The script for bash requires the package bash-completion.`,
		Example: "  source <(hew completion bash)\n" +
			"  hew completion fish > ~/.config/fish/completions/hew.fish",
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && slices.Contains(cmd.ValidArgs, args[0]) {
				return nil
			}
			return fmt.Errorf("%s takes the name of a shell: %s.\n%s", cmd.CommandPath(), strings.Join(cmd.ValidArgs,
				", "), usage.SeeHelp(cmd))
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return usage.WriteCompletion(a.out, cmd.Root(), args[0])
		},
	}
}

// completeKinds completes kinds of resources and data sources.
func (a *app) completeKinds(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	return usage.WithPrefix(docs.KindNames(a.Kinds()), typed, args...), usage.NoFiles
}

// completeAddresses completes what a plan can be limited to: modules, blocks and objects of the
// configuration, and objects of its ledger.
func (a *app) completeAddresses(s *settings) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		names := map[string]bool{}
		cfg, result := a.evaluateOffline(cmd.Context(), s)
		if cfg == nil {
			return nil, usage.NoFiles
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
		return usage.WithPrefix(slices.Sorted(maps.Keys(names)), typed), usage.NoFiles
	}
}

// completeOutputs completes one output of the configuration.
func (a *app) completeOutputs(s *settings) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		_, result := a.evaluateOffline(cmd.Context(), s)
		var names []string
		if len(args) == 0 {
			for _, o := range result.Outputs {
				names = append(names, o.Name)
			}
		}
		return usage.WithPrefix(names, typed), usage.NoFiles
	}
}

// evaluateOffline evaluates the configuration without a host. It returns nil for one with errors,
// which a shell that asks for completions could not show.
func (a *app) evaluateOffline(ctx context.Context, s *settings) (*config.Config, config.Result) {
	offline := *s
	offline.Partial = true
	cfg, _ := a.Load(ctx, offline.Options)
	if cfg == nil {
		return nil, config.Result{}
	}
	result, _ := cfg.NewEval().Run(ctx, nil)
	return cfg, result
}

// completeFiles completes files with one of the extensions, relative to -chdir. Without -chdir the
// shell does it, which expands ~ as well.
func (a *app) completeFiles(extensions ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		if a.Dir == "" {
			return extensions, cobra.ShellCompDirectiveFilterFileExt
		}
		dir, _ := filepath.Split(typed)
		entries, _ := os.ReadDir(a.Path(dir)) // an unreadable directory has nothing to offer
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
		return usage.WithPrefix(names, typed), usage.NoFiles | cobra.ShellCompDirectiveNoSpace
	}
}
