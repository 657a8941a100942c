// The version of the package that the program is in.
import { readFileSync } from 'node:fs'

/** Reads package.json: next to this folder in the package, one level up in the repository. */
export function packageVersion(): string {
  for (const place of ['../package.json', '../../package.json']) {
    const version = versionIn(new URL(place, import.meta.url))
    if (version !== undefined) return version
  }
  return 'unknown'
}

/** Names of the package with the program, and of the repository. */
const OWN_PACKAGES: ReadonlySet<unknown> = new Set(['@chartroom/devtools', 'chartroom'])

function versionIn(file: URL): string | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    return OWN_PACKAGES.has(name) && typeof version === 'string' ? version : undefined
  } catch {
    return undefined
  }
}
