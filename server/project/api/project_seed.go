package api

import (
	"hew/server/fault"
	"hew/server/project"
)

// projectSeed are the parameters for the first content of a repository.
type projectSeed struct {
	Readme            bool   `param:"initialize_with_readme"`
	TemplateName      string `param:"template_name"`
	TemplateProjectID int64  `param:"template_project_id"`
	CustomTemplate    bool   `param:"use_custom_template"`
	TemplateGroupID   int64  `param:"group_with_project_templates_id"`
}

// unavailable returns a fault for parameters that need the template of a project.
func (in projectSeed) unavailable() error {
	if in.TemplateProjectID != 0 || in.CustomTemplate || in.TemplateGroupID != 0 {
		return fault.NotImplemented("projects as templates of others; template_name chooses one of the server's own")
	}
	return nil
}

// seed returns what the repository of a new project begins with.
func (in projectNew) seed() project.Seed {
	return project.Seed{Readme: in.Readme, Template: in.TemplateName, ImportURL: in.ImportURL.Or("")}
}
