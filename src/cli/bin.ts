#!/usr/bin/env node
// The command line of the package: the trace commands.
import { runProgram, TRACE_COMMANDS } from './program.ts'

runProgram(TRACE_COMMANDS)
