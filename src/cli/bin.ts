#!/usr/bin/env node
// The command line of the package: the trace commands, and the embedded backend where it is installed.
import { refuseOldNode } from './node-needed.ts'

if (!refuseOldNode('chartroom')) {
  const { runProgram, TRACE_COMMANDS } = await import('./program.ts')
  runProgram({
    ...TRACE_COMMANDS,
    start: {
      about: 'run your project, or a demo, with the workbench, from @chartroom/backend',
      load: async () => (await import('./installed-backend.ts')).installedCommand('startCommand'),
    },
    backend: {
      about: 'run the embedded backend, from @chartroom/backend',
      load: async () => (await import('./installed-backend.ts')).installedCommand('backendCommand'),
    },
  })
}
