// Package junit reads reports of tests in the format of JUnit (CI facts §5). It is pure: files come
// in as readers, cases go out.
//
// Reports come from jobs, so everything is bounded: the size of a file, of a tag, the depth of
// elements and the number of cases. References to entities other than those of XML itself are
// errors, and document types are not read.
package junit
