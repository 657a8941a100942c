#!/usr/bin/env node
// `npx chartroom` inside the repository: runs the command line from the sources.
import './node-version.js'

if (process.argv[2] === 'serve') {
  const { ensureApp } = await import('./app-build.ts')
  await ensureApp()
}
await import('../src/cli/main.ts')
