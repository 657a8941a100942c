#!/usr/bin/env node
// `npx chartroom` in the repository: the command line as it is here.
import './node-version.js'

if (process.argv[2] === 'serve') {
  const { ensureApp } = await import('./app-build.ts')
  await ensureApp()
}
await import('../src/cli/main.ts')
