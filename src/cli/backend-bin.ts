#!/usr/bin/env node
// The command line of @chartroom/backend: `chartroom-backend` is `chartroom backend`.
import { refuseOldNode } from './node-needed.ts'

if (!refuseOldNode('@chartroom/backend')) {
  const { backendCommand } = await import('./backend-command.ts')
  // The reader may close the pipe early, as `head` does.
  process.stdout.on('error', () => process.exit(0))
  void backendCommand(process.argv.slice(2)).then(code => process.stdout.write('', () => process.exit(code)))
}
