#!/usr/bin/env node
// The program of the package `create-chartroom`.
import { refuseOldNode } from './node-needed.ts'

if (!refuseOldNode('create-chartroom')) {
  const { createCommand } = await import('./create.ts')
  process.exitCode = await createCommand(process.argv.slice(2))
}
