// Loaded before every script: prints a clear error if Node is too old to run the project's TypeScript, and keeps
// V8's compiled code between runs, since compiling takes a fifth of a start.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Chartroom's scripts need Node 22.18 or newer; this is ${process.version}. ` +
      'On Linux, npm ci installs it unless optional packages are omitted; elsewhere, install it yourself.',
  )
  process.exit(1)
}
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))
