// Says plainly when Node is too old to run the project's TypeScript; loaded before every script.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Chartroom's scripts need Node 22.18 or newer, and this is ${process.version}. ` +
      'npm ci installs the right one beside them: was it run with --ignore-scripts?',
  )
  process.exit(1)
}
