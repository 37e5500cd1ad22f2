package usage

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// NoFiles ends a list of completions: the shell adds no file names.
const NoFiles = cobra.ShellCompDirectiveNoFileComp

// WriteCompletion writes the completion script of a shell: bash, zsh, fish or powershell.
func WriteCompletion(w io.Writer, root *cobra.Command, shell string) error {
	switch shell {
	case "zsh":
		return root.GenZshCompletion(w)
	case "fish":
		return root.GenFishCompletion(w, true)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(w)
	}
	if err := root.GenBashCompletionV2(w, true); err != nil {
		return err
	}
	_, err := io.WriteString(w, quotedCandidates)
	return err
}

// quotedCandidates makes bash keep the quotes of addresses: the common prefix of several candidates
// goes into the command line, and cobra's script escapes only a single candidate.
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

// Completing reports whether a shell asks for completions of a command line.
func Completing(args []string) bool {
	return len(args) > 1 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// PartialFlag reports whether the last word of a command line begins a flag with one dash.
func PartialFlag(args []string) bool {
	last := args[len(args)-1]
	return strings.HasPrefix(last, "-") && !strings.HasPrefix(last, "--")
}

// CompletionWriter writes the completions that cobra prints, a line at a time, as people type them:
// flags with one dash if they were begun with one, descriptions without the backquotes of their
// values.
type CompletionWriter struct {
	io.Writer
	OneDash bool
}

// Write writes one line of completions.
func (w CompletionWriter) Write(line []byte) (int, error) {
	shown := bytes.ReplaceAll(line, []byte("`"), nil)
	if w.OneDash {
		shown = bytes.TrimPrefix(shown, []byte("-"))
	}
	if _, err := w.Writer.Write(shown); err != nil {
		return 0, err
	}
	return len(line), nil
}

// CompleteValues makes shells complete a flag from a fixed list of values.
func CompleteValues(cmd *cobra.Command, flag string, values ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, NoFiles)) // fails for no flag only
}

// WithPrefix returns the names that begin with what was typed, without those that were given
// already.
func WithPrefix(names []string, typed string, given ...string) []string {
	return slices.DeleteFunc(names, func(name string) bool {
		return !strings.HasPrefix(name, typed) || slices.Contains(given, name)
	})
}

// CompleteDirectories makes shells complete directories, any number of them.
func CompleteDirectories(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}
