// Fails: package.json overrides packages that are never loaded with this one.
throw new Error('This package is replaced by an empty one: remove it from "overrides" in package.json.')
