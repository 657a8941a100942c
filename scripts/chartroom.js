#!/usr/bin/env node
// `npx chartroom` in the repository: the command line as it is here.
import './node-version.js'

await import('../src/cli/main.ts')
