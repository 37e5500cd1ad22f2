package api

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"strings"

	"hew/server/db"
	"hew/server/packages"
	"hew/server/part"
	"hew/server/policy"
)

// specimen gives a project n NuGet packages that depend on each other, n generic packages, and n
// rules; the last generic package has n files. It gives a group settings of its own. The names are
// the same in every place, so that a group finds those of its projects.
func specimen(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
	values := part.Values{
		"package_name": "acme.core", "package_version": fmt.Sprintf("1.0.%d", n-1),
		"package_filename": fmt.Sprintf("acme.core.1.0.%d.nupkg", n-1), "file_name": "notes.txt",
		"symbolfiles/file_name": "acme.pdb", "same_file_name": "acme.pdb", "signature": strings.Repeat("0", 40),
		"operation": "Packages()",
	}
	if at.ProjectID == nil {
		_, err := packages.ChangeSettings(ctx, h, at.Group, func(*packages.Choices) {})
		return values, err
	}
	by := packages.Publisher{UserID: &at.Owner.ID, Level: policy.Owner}
	for i := range n {
		version, files := fmt.Sprintf("1.0.%d", i), 1
		if i == n-1 {
			files = n
		}
		text, err := specimenPackage(version)
		if err != nil {
			return nil, err
		}
		_, err = packages.PublishNuget(ctx, h, packages.NugetUpload{
			Project: at.Project, By: by, Content: bytes.NewReader(text),
		})
		if err != nil {
			return nil, err
		}
		for range files {
			f, err := packages.PublishGeneric(ctx, h, packages.GenericUpload{
				Project: at.Project, By: by, Name: "acme.core", Version: version, File: "notes.txt",
				Content: strings.NewReader(version), Size: int64(len(version)),
			})
			if err != nil {
				return nil, err
			}
			values["package_id"], values["package_file_id"] = fmt.Sprint(f.PackageID), fmt.Sprint(f.ID)
		}
		r, err := packages.CreateRule(ctx, h, packages.Rule{
			ProjectID: at.Project.ID, NamePattern: fmt.Sprintf("secret-%d-*", i), Type: packages.Nuget,
			Push: new("maintainer"),
		})
		if err != nil {
			return nil, err
		}
		values["package_protection_rule_id"] = fmt.Sprint(r.ID)
	}
	return values, nil
}

// specimenPackage returns the archive of a package with a manifest.
func specimenPackage(version string) ([]byte, error) {
	var text bytes.Buffer
	archive := zip.NewWriter(&text)
	file, err := archive.Create("acme.core.nuspec")
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(file, `<?xml version="1.0"?>
<package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd">
  <metadata>
    <id>Acme.Core</id>
    <version>%s</version>
    <authors>Ada</authors>
    <description>What everything at Acme needs.</description>
    <tags>acme core</tags>
    <dependencies>
      <group targetFramework="net8.0"><dependency id="Acme.Log" version="2.0.0"/></group>
      <group targetFramework="netstandard2.0"/>
    </dependencies>
  </metadata>
</package>
`, version)
	if err != nil {
		return nil, err
	}
	err = archive.Close()
	return text.Bytes(), err
}
