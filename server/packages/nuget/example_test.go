package nuget_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"hew/server/packages/nuget"
)

func ExampleReadPackage() {
	var file bytes.Buffer
	z := zip.NewWriter(&file)
	w, _ := z.Create("Acme.Tools.nuspec") // a buffer does not fail
	_, _ = io.WriteString(w, `<package><metadata><id>Acme.Tools</id><version>1.0</version><dependencies>
		<group targetFramework="net8.0"><dependency id="Acme.Core" version="1.0"/></group>
	</dependencies></metadata></package>`)
	_ = z.Close()

	p, err := nuget.ReadPackage(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(nuget.FoldName(p.Manifest.ID), p.Manifest.Version.Normal())
	for _, group := range p.Manifest.Dependencies {
		fmt.Println(group.TargetFramework, group.Dependencies)
	}
	// Output:
	// acme.tools 1.0.0
	// net8.0 [{Acme.Core [1.0.0, )}]
}

func ExampleReadPackage_problem() {
	_, err := nuget.ReadPackage(strings.NewReader("text"), 4)
	fmt.Println(err)
	// Output: invalid package file: the archive is not a valid zip: it has no end record
}

func ExampleVersion_SortKey() {
	keys := map[string]string{}
	for _, text := range []string{"1.10", "1.9.0", "1.9.0-rc.10", "1.9.0-rc.9"} {
		version, _ := nuget.ParseVersion(text)
		keys[version.SortKey()] = text
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		fmt.Println(key, keys[key])
	}
	// Output:
	// 111.119.110.110-=rc!#119 1.9.0-rc.9
	// 111.119.110.110-=rc!#1210 1.9.0-rc.10
	// 111.119.110.110~ 1.9.0
	// 111.1210.110.110~ 1.10
}
