// Prints a clear error if Node is too old to run the project's TypeScript; loaded before every script.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Chartroom's scripts need Node 22.18 or newer; this is ${process.version}. ` +
      'On Linux, npm ci installs it unless optional packages are omitted; elsewhere, install it yourself.',
  )
  process.exit(1)
}
