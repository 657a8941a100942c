// A client with a bug: each request settles twice. As an app would have it, and as machines for the command line.
import type { RunClient } from '../../src/services/client/index.ts'
import { composeClient, declaredPorts } from '../../src/services/client/compose-client.ts'
import { tellsTwice } from './mutants.ts'

/** Runs the client with the bug. */
export const withBug =
  (run: RunClient): RunClient =>
  system =>
    run({
      ...system,
      compose: loaded => tellsTwice(system.compose(loaded)) as ReturnType<typeof system.compose>,
    })

/** The same bug in the machines that a recording is run with: `--machines`. */
export const systems = { chartroom: () => tellsTwice(composeClient(declaredPorts)) }
