#!/usr/bin/env node
// The command line of the package: what is done with traces.
import { runCommand } from './run.ts'
import { TRACE_COMMANDS } from './trace-commands.ts'

process.exitCode = await runCommand(TRACE_COMMANDS, process.argv.slice(2))
