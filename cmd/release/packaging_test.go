package release

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// root is the root of the repository.
const root = "../.."

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	return string(text)
}

// TestImages checks the Dockerfiles, which no test builds, against the release and the tree.
func TestImages(t *testing.T) {
	t.Parallel()
	goVersion := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "go.mod"))[1]
	flags := regexp.MustCompile(`-ldflags "([^"$]*)\$`)
	released := flags.FindStringSubmatch(read(t, ".ci/dist"))
	stage := regexp.MustCompile(`(?s)FROM golang.*? -o /out/ `)
	require.Equal(t, stage.FindString(read(t, "cmd/hew/Dockerfile")), stage.FindString(read(t, "cmd/hewd/Dockerfile")),
		"both are built in one way")
	for _, program := range []string{"hew", "hewd"} {
		text := read(t, "cmd/"+program+"/Dockerfile")
		require.Contains(t, text, "FROM golang:"+goVersion+"-")
		require.Contains(t, text, "RUN CGO_ENABLED=0 go build -trimpath ")
		require.Equal(t, released[1], flags.FindStringSubmatch(text)[1], "linked as a release is")
		require.Contains(t, text, "-o /out/ ./cmd/"+program+"\n")
		require.Regexp(t, `(?m)^USER [1-9]`, text, "it does not run as root")
		require.Regexp(t, `COPY --from=build (\S*ca-certificates.crt)|apk add \S+ ca-certificates`, text,
			"it can speak TLS")
		for _, from := range regexp.MustCompile(`(?m)^COPY ([^-].*) \S+$`).FindAllStringSubmatch(text, -1) {
			for _, name := range strings.Fields(from[1]) {
				_, err := os.Stat(filepath.Join(root, name))
				require.NoError(t, err)
			}
		}
	}
}

// TestSettingsAreKnown checks that hew or hewd reads every variable that a package or example sets.
func TestSettingsAreKnown(t *testing.T) {
	t.Parallel()
	known := read(t, "cmd/hew/reference/guides/hewd.md") + read(t, "cmd/hew/reference/guides/environment.md")
	for _, file := range []string{"cmd/hewd/debian/hewd.env", "cmd/hewd/debian/hewd.service", "cmd/hewd/Dockerfile",
		"examples/compose/compose.yaml"} {
		names := regexp.MustCompile(`\bHEWD?_[A-Z_]+\b`).FindAllString(read(t, file), -1)
		require.NotEmpty(t, names, file)
		for _, name := range names {
			require.Contains(t, known, "`"+name+"`", file)
		}
	}
}

// TestCompose checks the files and secrets that the compose example refers to.
func TestCompose(t *testing.T) {
	t.Parallel()
	const dir = "examples/compose"
	text := read(t, dir+"/compose.yaml")
	var file struct {
		Services map[string]struct {
			Image string
			Build struct{ Context, Dockerfile string }
			Needs map[string]struct{ Condition string } `yaml:"depends_on"`
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(text), &file))
	require.Len(t, file.Services, 3)
	for name, s := range file.Services {
		if s.Image == "" {
			require.FileExists(t, filepath.Join(root, dir, s.Build.Context, s.Build.Dockerfile), name)
		}
		for other, need := range s.Needs {
			require.Contains(t, file.Services, other)
			require.Equal(t, "service_healthy", need.Condition)
		}
	}
	script := read(t, dir+"/secrets")
	for _, secret := range regexp.MustCompile(`\$\{(\w+):\?run ./secrets`).FindAllStringSubmatch(text, -1) {
		require.Contains(t, script, secret[1]+"=", "./secrets makes it")
	}
}
