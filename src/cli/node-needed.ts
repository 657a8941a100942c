// The oldest Node that the packages run on. Programs check it before they load any other module, since an older
// Node may fail to link those.

/** `node:sqlite`, with which the backend locks its data, needs no flag from this version. */
export const NODE_NEEDED = '22.13'

/** Prints what a package needs, and sets the exit code, if this Node is too old. @returns whether it is */
export function refuseOldNode(name: string): boolean {
  const problem = oldNode(name, process.versions.node)
  if (problem === undefined) return false
  console.error(problem)
  process.exitCode = 1
  return true
}

/** Why this version of Node can't run a package, as one sentence. */
function oldNode(name: string, version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [neededMajor = 0, neededMinor = 0] = NODE_NEEDED.split('.').map(Number)
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return undefined
  return `${name} needs Node ${NODE_NEEDED} or newer, but this is Node ${version}: install a newer one, for example from https://nodejs.org.`
}
