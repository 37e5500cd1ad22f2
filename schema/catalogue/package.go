package catalogue

// PackageTypes are the types of packages that protection rules can be about (gaps §16.1).
var PackageTypes = []string{"conan", "generic", "helm", "maven", "npm", "nuget", "pypi", "terraform_module"}
