#!/usr/bin/env node
// The command line of the package: what is done with traces.
import { runProgram } from './program.ts'
import { TRACE_COMMANDS } from './trace-commands.ts'

runProgram(TRACE_COMMANDS)
