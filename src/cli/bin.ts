#!/usr/bin/env node
// The command line of the package: the trace commands.
import { runProgram } from './program.ts'
import { TRACE_COMMANDS } from './trace-commands.ts'

runProgram(TRACE_COMMANDS)
